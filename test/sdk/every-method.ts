/**
 * Calls every method of the client once against a gateway, with a test credential. Gives the
 * operations that were answered with 200, by their ids.
 */
import assert from 'node:assert/strict';
import { operations } from '../../sdk/src/generated/api.ts';
import { NotFoundError, Oja, type OjaOptions } from '../../sdk/src/index.ts';

type Table = readonly (readonly [string, { readonly method: string; readonly path: string }])[];

function operationOf(method: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  // What has no parameter in its path comes first.
  const table = (Object.entries(operations) as Table).toSorted(
    ([, a], [, b]) => weight(a.path) - weight(b.path),
  );
  return table.find(([, one]) => {
    const pattern = new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return one.method === method && pattern.test(pathname);
  })?.[0];
}

function weight(path: string): number {
  return path.includes('{') ? 1 : 0;
}

export async function callEveryMethod(options: OjaOptions): Promise<Set<string>> {
  const answered = new Set<string>();
  const oja = new Oja({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const operation = operationOf(String(init.method), url);
      if (response.ok && operation !== undefined) answered.add(operation);
      return response;
    },
  });
  await buyAll(oja);
  await buyGoods(oja);
  await lookAtWallet(oja);
  await useEvents(oja);
  await buyInBulk(oja);
  await playWithTime(oja);
  assert.equal((await oja.health.get()).status, 'ok');
  assert.equal((await oja.health.ready()).status, 'ok');
  return answered;
}

const mobile = { msisdn: '08031234567', network: 'mtn' } as const;

async function buyAll(oja: Oja): Promise<void> {
  const [plan] = (await oja.plans.data('mtn')).data;
  assert.ok(plan);
  const data = { ...mobile, plan_code: plan.plan_code, amount: plan.price };
  const bought = [
    await oja.airtime.buySync({ ...mobile, amount: '100' }),
    await oja.airtime.buyAsync({ ...mobile, amount: '100' }),
    await oja.data.buySync(data),
    await oja.data.buyAsync(data),
  ];
  assert.deepEqual(
    bought.map(({ status }) => status),
    ['success', 'pending', 'success', 'pending'],
  );
  const [cable] = (await oja.plans.bills('cable', { network: 'DSTV' })).data;
  assert.ok(cable);
  const card = {
    product: 'CABLE',
    network: 'DSTV',
    plan_code: String(cable.id),
    msisdn: '10000000010',
  } as const;
  assert.equal((await oja.purchases.verify(card)).state, 'ok');
  const paid = await oja.purchases.create({ ...card, amount: cable.price ?? '1000' });
  assert.equal(paid.status, 'success');
  assert.equal((await oja.purchases.status(paid.data.request_id)).state, 'success');
  for (const { data } of bought) {
    assert.equal((await oja.purchases.waitUntilFinal(data.request_id)).state, 'success');
  }
  const references = (await Array.fromAsync(oja.purchases.list({ limit: 2 }))).map(
    ({ request_id }) => request_id,
  );
  for (const { data } of [...bought, paid]) assert.ok(references.includes(data.request_id));
  assert.equal(new Set(references).size, references.length);
}

async function buyGoods(oja: Oja): Promise<void> {
  const [card] = (await oja.giftCards.catalog({ currency: 'USD' })).data.filter((one) => one.fixed_price);
  assert.ok(card);
  const { plan_id } = card;
  const quote = await oja.giftCards.quote(plan_id);
  assert.deepEqual((await oja.giftCards.quoteByBody({ plan_id })).data, quote.data);
  assert.equal((await oja.giftCards.availability(plan_id, { quantity: 2 })).data.available, true);
  const order = await oja.giftCards.order({ plan_id });
  const found = await oja.giftCards.getOrder(order.data.request_id);
  assert.equal(found.data.internal_reference, order.data.internal_reference);
  const [esim] = (await oja.esims.catalog()).data;
  assert.ok(esim);
  assert.equal((await oja.esims.get(esim.plan_id)).data.title, esim.title);
  assert.ok((await oja.esims.quote(esim.plan_id)).data.ngn_amount);
  const { data } = await oja.esims.order({ plan_id: esim.plan_id });
  await oja.purchases.waitUntilFinal(data.request_id);
  assert.equal((await oja.esims.getOrder(data.request_id)).status, 'success');
  const png = await oja.esims.qrCode(data.request_id);
  assert.equal(new TextDecoder('latin1').decode(png.slice(1, 4)), 'PNG');
  await assert.rejects(oja.esims.qrCode('nobody'), NotFoundError);
  // There is no voucher, which only its operator can issue: the refusal is the gateway's.
  const voucher = { code: 'OJAV-0000-0000', product: 'ESIM', plan: esim.plan_id } as const;
  await assert.rejects(oja.vouchers.redeem(voucher), { name: /^(InvalidRequest|NotFound)Error$/ });
}

async function lookAtWallet(oja: Oja): Promise<void> {
  assert.equal((await oja.wallet.balance({ currency: 'ngn' })).result.currency, 'NGN');
  assert.ok((await oja.wallet.mtnBalance()).result.total);
  const lines = await Array.fromAsync(oja.wallet.statement({ limit: 2 }));
  assert.ok(lines.length > 4);
  const identity = {
    bvn: '22222222222',
    email: 'demo@example.com',
    first_name: 'Demo',
    last_name: 'Merchant',
    phone_number: '08031234567',
  };
  const id_card = new Blob([Uint8Array.from(atob(onePixel), (letter) => letter.charCodeAt(0))], {
    type: 'image/png',
  });
  const account = await oja.wallet.createFundingAccount({ ...identity, id_card });
  assert.equal(account.result.id_document_uploaded, true);
  const again = await oja.wallet.createFundingAccount(identity);
  assert.equal(again.result.account_number, account.result.account_number);
  assert.equal((await oja.wallet.fundingAccount()).result.account_number, account.result.account_number);
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function useEvents(oja: Oja): Promise<void> {
  const { data: made } = await oja.endpoints.create({ url: 'http://127.0.0.1:9/hook' });
  assert.match(made.secret, /^whsec_/);
  await oja.endpoints.change(made.id, { description: 'changed' });
  const [listed] = (await oja.endpoints.list()).data;
  assert.equal(listed?.description, 'changed');
  const { data: rotated } = await oja.endpoints.rotate(made.id);
  assert.notEqual(rotated.secret, made.secret);
  const { data: tested } = await oja.endpoints.test(made.id);
  const tries = await Array.fromAsync(oja.deliveries.list({ endpoint: made.id }));
  assert.ok(tries.some(({ id }) => id === tested.delivery_id));
  await oja.deliveries.replay(tested.delivery_id);
  await oja.endpoints.replay(made.id, { from: '2026-01-01T00:00:00Z' });
  const events = await Array.fromAsync(
    oja.events.list({ limit: 3, types: ['transaction.success', 'order.success'] }),
  );
  assert.ok(events.length > 3);
  assert.equal((await oja.endpoints.delete(made.id)).data.deleted, true);
}

async function buyInBulk(oja: Oja): Promise<void> {
  const csv = 'Phone,Network,Amount\n08031234567,MTN,100\n';
  const { data: made } = await oja.batches.create({ csv, name: 'one row' });
  assert.deepEqual([made.state, made.rows], ['ready', 1]);
  assert.equal((await oja.batches.change(made.id, { state: 'running' })).data.state, 'running');
  const listed = await Array.fromAsync(oja.batches.list({ limit: 1 }));
  assert.ok(listed.some(({ id }) => id === made.id));
  const [row, ...others] = await Array.fromAsync(oja.batches.rows(made.id));
  assert.deepEqual([row?.line, others.length], [1, 0]);
  assert.equal((await oja.batches.get(made.id)).data.id, made.id);
}

async function playWithTime(oja: Oja): Promise<void> {
  const { data: deposit } = await oja.test.createDeposit({ amount: '5000.00' });
  assert.deepEqual([deposit.state, deposit.credited], ['credited', '4900.00']);
  assert.equal((await oja.test.advanceClock({ advance_s: 60 })).data.advance_s, 60);
}
