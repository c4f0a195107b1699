/** Exports are shared by merchant, and requests counted by network. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { limits } from '../../../src/core/limits.ts';
import { startConsole } from './harness.ts';

const test = await startConsole();
after(() => test[Symbol.asyncDispose]());
for (const code of ['GREEDY', 'OTHER']) await test.admin.run('merchant.create', { code, name: code });
const greedy = await test.person('owner@greedy.example', ['owner'], 'GREEDY');
const other = await test.person('owner@other.example', ['owner'], 'OTHER');
const operator = await test.person('viewer@console.example', ['viewer']);

const path = '/api/csv/purchase.list?input={}';

describe('exports', () => {
  it('exports of one merchant leave places to other merchants and the console', async () => {
    const { places } = limits.exports.pools.portal;
    const flood = Array.from({ length: 2 * places }, () =>
      greedy.browser.get('/api/csv/merchant_purchase.list'),
    );
    const others = [...Array.from({ length: 5 }, () => other.browser.get('/api/csv/merchant_purchase.list'))];
    const ofConsole = operator.browser.get(path);
    for (const answer of await Promise.all(others))
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal((await ofConsole).status, 200);
    const refused = (await Promise.all(flood)).filter(({ status }) => status !== 200);
    assert.ok(refused.length >= places, `${refused.length} are refused`);
    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.error.code], [503, 'exports_full']);
      assert.ok(Number(headers['retry-after']) >= 1);
    }
    assert.equal((await greedy.browser.get('/api/csv/merchant_purchase.list')).status, 200);
  });
});

describe('exports of one environment', () => {
  const wallets = 'wallet.show?input={"merchant":"GREEDY"}';
  const rowsOf = async (query = '') => {
    const { status, body } = await operator.browser.get(`/api/csv/${wallets}${query}`);
    assert.equal(status, 200, body);
    const [head, ...lines] = (body as string).trimEnd().split('\r\n');
    const at = head?.split(',').indexOf('environment') ?? -1;
    return lines.map((line) => line.split(',')[at]);
  };

  it('leave the rows of the environment that the console shows', async () => {
    const all = await rowsOf();
    assert.deepEqual([...new Set(all)].sort(), ['live', 'test']);
    for (const environment of ['live', 'test']) {
      const own = await rowsOf(`&environment=${environment}`);
      assert.deepEqual([...new Set(own)], [environment]);
      assert.equal(own.length, all.filter((one) => one === environment).length);
    }
  });

  it('refuse an unknown environment, and any environment for a list without one', async () => {
    for (const refused of [`${wallets}&environment=all`, 'merchant.list?environment=live']) {
      const { status, body } = await operator.browser.get(`/api/csv/${refused}`);
      assert.deepEqual([status, body.error.code], [400, 'request_malformed'], refused);
    }
  });
});

describe('requests of one network', () => {
  const from = async (address: string) =>
    (await test.browser('portal', { address }).get('/api/session')).status;

  it('counts requests of one IPv6 network together', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 900 }, (_, at) => from(`2001:db8:1:2:${at.toString(16)}::1`)),
    );
    assert.ok(statuses.filter((status) => status === 429).length > 200);
    assert.equal(await from('2001:db8:1:3::1'), 401);
  });

  it('counts requests of each IPv4 address separately', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 600 }, (_, at) => from(`198.51.100.${at % 200}`)),
    );
    assert.ok(statuses.every((status) => status === 401));
    assert.equal(await from('::ffff:198.51.100.7'), 401);
  });
});
