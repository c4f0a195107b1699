/**
 * The operator changes a provider's account while purchases are unresolved. Two simulators are two
 * accounts, each without the other's orders.
 */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createTokenOperation } from '../../../src/backoffice/access/operations/create-token.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { accountOf } from '../../../src/operate/keys/provider-credentials.ts';
import { vtpass } from '../../../src/providers/vtpass/index.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertAudited,
  eventually,
  newNumber,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
} from '../../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave } from '../../e2e/provider.ts';
import { openShop, type Shop } from '../../e2e/shop.ts';
import { type Gateway, ownSimulator } from '../../support/gateway.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const otherUrl = await ownSimulator(stack);
// Own gateway: changes the credentials of a provider.
const gateway = await openGatewayUnderTest({
  settings: { OJA_NOT_FOUND_GRACE_S: '30' },
});
/** For the books and set behaviour of the other account. */
const other = { simulatorUrl: otherUrl } as Gateway;
const { token } = await gateway.database.transaction((tx) =>
  createTokenOperation.run(
    { tx, actor: { name: 'ada', principal: 'user:ada', edge: 'cli' }, clock: systemClock },
    { role: ['admin'], name: 'ada', expires: '1d' },
  ),
);

async function admin(method: string, path: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${gateway.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

function store(url: string, fields: object = {}): Promise<{ status: number; text: string }> {
  const values = {
    OJA_VTPASS_BASE_URL: `${url}/vtpass/api`,
    OJA_VTPASS_API_KEY: 'simulator-api-key',
    OJA_VTPASS_PUBLIC_KEY: 'PK_simulator',
    OJA_VTPASS_SECRET_KEY: 'SK_simulator',
  };
  return admin('PUT', '/providers/vtpass/credentials', { values, ...fields });
}

const restore = (fields: object = {}): Promise<{ status: number; text: string }> =>
  admin('POST', '/providers/vtpass/credentials/restore', fields);

async function untilSoldAt(account: Gateway, shop: Shop): Promise<void> {
  await eventually('the process sells there', async () => {
    const msisdn = newNumber();
    const body = airtime({ merchant: shop.code, msisdn });
    await gateway.call('POST', airtimeSync, { as: shop.live, body });
    return (await deliveriesTo(account, msisdn)).length === 1 ? true : undefined;
  });
}

/** Delivered at the other account, which does not report it before `tell`. */
async function buyInDoubt(shop: Shop): Promise<Record<string, unknown>> {
  const msisdn = newNumber();
  await misbehave(
    other,
    { fault: 'odd_reply', recipient: msisdn, operation: 'pay', delivered: true },
    { fault: 'odd_reply', recipient: msisdn, operation: 'requery' },
  );
  const order = airtime({ merchant: shop.code, msisdn });
  const bought = await gateway.call('POST', airtimeAsync, { as: shop.live, body: order });
  assert.equal(bought.status, 200, bought.text);
  await eventually('its answer is in doubt', async () => {
    const rows = await gateway.database.query(
      "select from provider_answers where purchase_id = $1 and kind = 'unknown'",
      [bought.body.data.internal_reference],
    );
    return rows.length > 0 ? true : undefined;
  });
  assert.equal((await deliveriesTo(other, msisdn)).length, 1, 'it was delivered');
  return order;
}

/** Lets the other account answer queries about the order from now on. */
async function tell({ msisdn }: Record<string, unknown>): Promise<void> {
  await misbehave(other, { fault: 'slow', recipient: String(msisdn), operation: 'requery', delay_ms: 0 });
}

/** Makes waiting work due and returns it. */
async function askNow(): Promise<{ queries: number; age_s: number }[]> {
  await gateway.database.query('update pending_purchases set due_at = now() where due_at > now()');
  return await gateway.database.query(
    'select queries, extract(epoch from now() - created_at)::float8 as age_s from pending_purchases',
  );
}

async function untilNothingWaits(): Promise<void> {
  await eventually('nothing waits', async () => {
    const rows = await gateway.database.query('select from pending_purchases');
    return rows.length === 0 ? true : undefined;
  });
}

function assertRefusedAsOther({ status, text }: { status: number; text: string }): void {
  assert.equal(status, 409, text);
  assert.equal(JSON.parse(text).reason, 'provider_account_changes');
  assert.match(text, /\bOJA_VTPASS_BASE_URL\b/);
}

describe('the account of a provider', () => {
  it('changes and restores credentials while no order is unsettled', async () => {
    const shop = await openShop(gateway, { balance: 1_000_000n });
    assert.equal((await store(otherUrl)).status, 200);
    await untilSoldAt(other, shop);
    await untilNothingWaits();
    const restored = await restore();
    assert.equal(restored.status, 200, restored.text);
    await untilSoldAt(gateway, shop);
  });

  it('sends no stored secret to another address: each must be given again', async () => {
    await untilNothingWaits();
    assert.equal((await store(gateway.simulatorUrl)).status, 200);
    const change = (values: object) => admin('PUT', '/providers/vtpass/credentials', { values });
    const address = { OJA_VTPASS_BASE_URL: 'https://elsewhere.example' };
    for (const values of [
      address,
      { ...address, OJA_VTPASS_API_KEY: 'x', OJA_VTPASS_PUBLIC_KEY: 'y' },
      { OJA_VTPASS_BASE_URL: '' },
    ]) {
      const { status, text } = await change(values);
      assert.deepEqual([status, JSON.parse(text).reason], [400, 'secrets_for_address'], text);
    }
    const same = { OJA_VTPASS_BASE_URL: `${gateway.simulatorUrl}/vtpass/api` };
    assert.equal((await change(same)).status, 200, 'the same address');
    assert.equal((await change({ OJA_VTPASS_API_KEY: 'simulator-api-key' })).status, 200, 'a key alone');
  });

  it('refuses to change or restore credentials while an order is queried', async () => {
    const shop = await openShop(gateway, { balance: 1_000_000n });
    await untilNothingWaits();
    assert.equal((await store(otherUrl)).status, 200);
    await untilSoldAt(other, shop);
    const order = await buyInDoubt(shop);
    assertRefusedAsOther(await store(gateway.simulatorUrl));
    assertRefusedAsOther(await restore());
    assert.equal((await store(otherUrl)).status, 200, 'other keys of the same account');
    assert.equal((await restore()).status, 200, 'those before, of the same account');
    await tell(order);
    const final = await untilFinal(gateway, order.request_ref, shop.live);
    assert.equal(final.body.code, '00', final.text);
  });

  it('refuses to change or restore credentials while an order is in flight', async () => {
    const shop = await openShop(gateway, { balance: 1_000_000n });
    await untilNothingWaits();
    for (const url of [gateway.simulatorUrl, otherUrl]) assert.equal((await store(url)).status, 200);
    await untilSoldAt(other, shop);
    const msisdn = newNumber();
    await misbehave(other, { fault: 'timeout', delivered: true, recipient: msisdn, operation: 'pay' });
    const order = airtime({ merchant: shop.code, msisdn });
    const buying = gateway.call('POST', airtimeSync, { as: shop.live, body: order });
    await eventually('it is delivered', async () =>
      (await deliveriesTo(other, msisdn)).length === 1 ? true : undefined,
    );
    assertRefusedAsOther(await store(gateway.simulatorUrl));
    assertRefusedAsOther(await restore());
    await buying;
    const final = await untilFinal(gateway, order.request_ref, shop.live);
    assert.equal(final.body.code, '00', final.text);
  });

  it('does not resolve orders of the previous account after a forced change', async () => {
    const shop = await openShop(gateway, { balance: 1_000_000n });
    await untilNothingWaits();
    for (const url of [gateway.simulatorUrl, otherUrl]) assert.equal((await store(url)).status, 200);
    await untilSoldAt(other, shop);
    const order = await buyInDoubt(shop);
    assert.equal((await store(gateway.simulatorUrl, { force: true })).status, 200);
    await untilSoldAt(gateway, shop);
    await eventually('it was asked about often and for long', async () => {
      const [row] = await askNow();
      return row === undefined || (row.queries >= 6 && row.age_s > 4) ? true : undefined;
    });
    const status = await statusOf(gateway, order.request_ref, shop.live);
    assert.equal(status.body.code, '02', `it is pending: ${status.text}`);
    const flagged = await fetch(`${gateway.adminUrl}/purchases/pending?flagged=true`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const told = await flagged.text();
    assert.match(told, /other_account/);

    assert.equal((await restore({ force: true })).status, 200);
    await untilSoldAt(other, shop);
    await tell(order);
    await eventually('it is final', async () => ((await askNow()).length === 0 ? true : undefined));
    const final = await untilFinal(gateway, order.request_ref, shop.live);
    assert.equal(final.body.code, '00', final.text);
    await assertAudited(gateway.database);
  });

  it('identifies an account by a fingerprint of its settings', async () => {
    const pepper = createSecretKey(Buffer.alloc(32, 1));
    const account = (values: Record<string, string>): string | undefined => accountOf(pepper, vtpass, values);
    const one = account({ OJA_VTPASS_BASE_URL: 'https://one.example', OJA_VTPASS_API_KEY: 'a' });
    assert.match(one ?? '', /^[0-9a-f]{8}$/);
    const rotated = { OJA_VTPASS_BASE_URL: 'https://one.example', OJA_VTPASS_API_KEY: 'b' };
    assert.equal(account(rotated), one);
    assert.notEqual(account({ OJA_VTPASS_BASE_URL: 'https://two.example' }), one);
    assert.notEqual(account({}), one);
    assert.equal(accountOf(pepper, { name: 'own', settings: { OJA_OWN_KEY: 'secret' } }, {}), undefined);
  });
});
