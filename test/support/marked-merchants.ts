/**
 * Two merchants with data of every kind, on a gateway of the demo. Data that another merchant may
 * never read contains a unique word, so that any leak shows whose data it is.
 */
import assert from 'node:assert/strict';
import { newId } from '../../src/core/ids.ts';
import { productNames } from '../../src/core/products/product.ts';
import type { Gateway, KeyPair } from './gateway.ts';
import type { Run } from './people.ts';

export type MarkedMerchant = {
  readonly code: string;
  readonly id: number;
  readonly test: KeyPair;
  readonly live: KeyPair;
  /**
   * Stored in its data, and never sent in a request: another merchant that reads one has found a
   * leak.
   */
  readonly secrets: readonly string[];
  /** The names of its objects, by field. Any merchant may send them. */
  readonly named: Readonly<Record<string, string>>;
};

/** `word` is in secret data, and `code` in public data. */
export async function makeMarked(
  gateway: Gateway,
  run: Run,
  { code, word, phone }: { readonly code: string; readonly word: string; readonly phone: string },
): Promise<MarkedMerchant> {
  const merchant = { merchant: code };
  await run('merchant.create', { code, name: `${word} Stores` });
  for (const product of productNames) await run('merchant.enable_product', { ...merchant, product });
  const keys: KeyPair[] = [];
  for (const environment of ['test', 'live'] as const) {
    await run('wallet.credit', { ...merchant, environment, amount: '4000000', memo: `${word} memo` });
    const issued = await run('credential.issue', {
      ...merchant,
      environment,
      label: `${word} label`,
      rate: 0,
    });
    await run('funding.enable', { ...merchant, currency: 'NGN', environment });
    keys.push({ key: issued.key, secret: issued.secret });
  }
  const [test, live] = keys;
  assert.ok(test && live);
  const [row] = await gateway.database.query<{ id: number }>('select id from merchants where code = $1', [
    code,
  ]);
  assert.ok(row);
  const endpoint = await run('webhook.create', {
    ...merchant,
    environment: 'test',
    url: `https://127.0.0.1:8443/${word}`,
    description: `${word} description`,
  });
  const { delivery } = await run('webhook.test', { endpoint: endpoint.id });
  const { vouchers } = await run('voucher.issue', { ...merchant, environment: 'test', value: '5', count: 1 });
  const reference = `${code}-airtime`;
  const call = async (path: string, body: object): Promise<void> => {
    const answer = await gateway.call('POST', path, { as: test, body });
    assert.equal(answer.status, 200, answer.text);
  };
  await call('/v1/transactions/airtime/sync', {
    ...merchant,
    msisdn: phone,
    network: 'mtn',
    amount: '123.00',
    request_ref: reference,
  });
  const [card, esim] = [`${code}-card`, `${code}-esim`];
  const giftCards = await gateway.call('GET', '/v1/giftcards/catalog', { as: test });
  const esims = await gateway.call('GET', '/v1/esim/catalog', { as: test });
  const [cardPlan, esimPlan] = [giftCards.body.data[0].plan_id, esims.body.data[0].plan_id];
  await call('/v1/giftcards/orders', { request_id: card, plan_id: cardPlan });
  await call('/v1/esim/orders', { request_id: esim, plan_id: esimPlan });
  await gateway.database.query(
    `insert into deposits (id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, paid_at)
     values ($1, 'monnify', $2, 'test', 'NGN', $3, $4, 77777, 0, now())`,
    [newId(), `${word} deposit`, `${word} account`, row.id],
  );
  return {
    code,
    id: row.id,
    test,
    live,
    secrets: [word, phone.slice(1), test.secret, live.secret, endpoint.secret],
    named: {
      merchant: code,
      reference,
      card,
      esim,
      endpoint: endpoint.id,
      delivery,
      credential: test.key,
      voucher: vouchers[0].id,
      cardPlan: String(cardPlan),
      esimPlan: String(esimPlan),
    },
  };
}
