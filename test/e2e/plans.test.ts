/** The data plan lists of the four networks, and every code that orders a plan. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Reason } from '../../src/api/plumbing/reasons.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import type { Answer } from '../support/gateway.ts';
import { buy, cable, testSmartcards } from './bills.ts';
import {
  assertRefused,
  data,
  dataSync,
  eventually,
  footprint,
  newReference,
  openSharedGateway,
} from './gateway-under-test.ts';

const gateway = await openSharedGateway();

const networks = ['MTN', 'GLO', 'AIRTEL', '9MOBILE'] as const;

type Plan = {
  readonly plan_code: string;
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly tarrifTypeId: string;
  readonly shortCode: string;
  readonly group: string;
  readonly kind: string;
};

async function plansOf(network: string): Promise<readonly Plan[]> {
  const answer = await gateway.call('GET', `/v1/plans/${network}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const listed = new Map<string, readonly Plan[]>();
for (const network of networks) listed.set(network, await plansOf(network.toLowerCase()));

function plan(network: string, index = 0): Plan {
  const found = listed.get(network)?.[index];
  assert.ok(found);
  return found;
}

function order(network: string, code: string, amount: string): Promise<Answer> {
  return gateway.call('POST', dataSync, { body: data({ network, plan_code: code, amount }) });
}

async function assertSold(network: string, code: unknown, bought: Plan): Promise<void> {
  const answer = await order(network, String(code), bought.price);
  assert.equal(answer.status, 200, `${network} ${code}: ${answer.text}`);
  assert.equal(answer.body.response_code, '00');
  assert.equal(answer.body.data.plan, String(code));
  assert.equal(answer.body.data.plan_code, bought.plan_code);
  assert.equal(answer.body.data.amount, bought.price);
}

async function assertNotSold(network: string, code: unknown, price: string, reason: Reason): Promise<void> {
  const before = await footprint(gateway.database);
  const answer = await order(network, String(code), price);
  assertRefused(answer, 400, { field: 'plan_code', reason });
  assert.deepEqual(await footprint(gateway.database), before);
}

describe('GET /v1/plans/{network}', () => {
  for (const network of networks) {
    it(`lists at least 15 plans of ${network}, daily, weekly and monthly, with every field`, () => {
      const plans = listed.get(network) ?? [];
      assert.ok(plans.length >= 15);
      for (const entry of plans) {
        assert.deepEqual(
          Object.entries(entry)
            .map(([name, value]) => `${name} ${typeof value}`)
            .sort(),
          [
            'description string',
            'group string',
            'id number',
            'kind string',
            'name string',
            'plan_code string',
            'price string',
            'shortCode string',
            'tarrifTypeId string',
            'validity string',
            'value string',
          ],
        );
        assert.match(entry.plan_code, new RegExp(`^${network}-[1-9][0-9]*$`));
        assert.match(entry.price, /^[1-9][0-9]*\.[0-9]{2}$/);
        assert.ok(Number.isInteger(entry.id));
      }
      assert.deepEqual(
        [...new Set(plans.map((entry) => entry.group))].filter((group) =>
          /^(Daily|Weekly|Monthly)$/.test(group),
        ).length,
        3,
      );
      assert.equal(new Set(plans.map((entry) => entry.plan_code)).size, plans.length);
      assert.ok(plans.some((entry) => entry.kind === 'sme'));
      assert.ok(plans.some((entry) => /gifting/i.test(entry.name)));
    });
  }

  it('answers in the envelope of catalogs', async () => {
    const { status, body } = await gateway.call('GET', '/v1/plans/mtn');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['data', 'description', 'status']);
    assert.equal(body.status, '2000');
    assert.equal(typeof body.description, 'string');
  });

  it('accepts a network in any spelling', async () => {
    for (const spelling of ['MTN', 'Mtn']) assert.deepEqual(await plansOf(spelling), listed.get('MTN'));
    for (const spelling of ['t2', 'ETISALAT', '9Mobile']) {
      assert.deepEqual(await plansOf(spelling), listed.get('9MOBILE'));
    }
  });

  it('returns the same for live credentials', async () => {
    const answer = await gateway.call('GET', '/v1/plans/glo', { as: 'live' });
    assert.deepEqual(answer.body.data, listed.get('GLO'));
  });

  for (const network of ['vodafone', 'DSTV', '%20mtn', '%00', 'mtn%2Fx', '__proto__']) {
    it(`refuses ${network}`, async () => {
      assertRefused(await gateway.call('GET', `/v1/plans/${network}`), 400, 'network');
    });
  }

  it('refuses a path that cannot be decoded', async () => {
    assertRefused(await gateway.call('GET', '/v1/plans/%ff'), 400);
  });
});

describe('an order of data', () => {
  for (const network of networks) {
    it(`accepts plan code and short code of ${network}, in any letter case`, async () => {
      const bought = plan(network, 2);
      for (const code of [bought.plan_code, bought.plan_code.toLowerCase(), bought.shortCode]) {
        await assertSold(network, code, bought);
      }
    });
  }

  it('accepts the old codes of MTN: tariff type ids, and never catalog ids', async () => {
    const bought = plan('MTN', 1);
    await assertSold('MTN', bought.tarrifTypeId, bought);
    await assertNotSold('MTN', bought.id, bought.price, 'data_plan_unknown');
    const disputed = listed
      .get('MTN')
      ?.find(({ id }) => listed.get('MTN')?.some(({ tarrifTypeId }) => tarrifTypeId === String(id)));
    if (disputed !== undefined) {
      const meant = listed.get('MTN')?.find(({ tarrifTypeId }) => tarrifTypeId === String(disputed.id));
      assert.ok(meant);
      await assertSold('MTN', disputed.id, meant);
    }
  });

  it('accepts the old codes of GLO: catalog ids, product ids and tariff type ids', async () => {
    const bought = plan('GLO', 1);
    const file = new URL('../../catalog/demo/data-plans/glo.json', import.meta.url);
    const source: { plan_code: string; product_id: string }[] = JSON.parse(await readFile(file, 'utf8'));
    const productId = source.find((entry) => entry.plan_code === bought.plan_code)?.product_id;
    assert.ok(productId);
    await assertSold('GLO', bought.id, bought);
    await assertSold('GLO', productId, bought);
    await assertSold('GLO', bought.tarrifTypeId, bought);
  });

  it('accepts the old codes of AIRTEL: catalog ids and tariff type ids', async () => {
    const bought = plan('AIRTEL', 1);
    await assertSold('AIRTEL', bought.id, bought);
    await assertSold('AIRTEL', bought.tarrifTypeId, bought);
  });

  it('accepts the old codes of 9MOBILE: catalog ids, not tariff type ids', async () => {
    const bought = plan('9MOBILE', 1);
    await assertSold('9MOBILE', bought.id, bought);
    await assertNotSold('9MOBILE', bought.tarrifTypeId, bought.price, 'data_plan_unknown');
  });

  it('refuses a plan of another network, naming that network', async () => {
    for (const network of networks) {
      for (const other of networks.filter((name) => name !== network)) {
        const { plan_code, shortCode, price } = plan(other, 3);
        await assertNotSold(network, plan_code, price, 'data_plan_of_other_network');
        await assertNotSold(network, shortCode, price, 'data_plan_of_other_network');
      }
    }
  });

  for (const code of ['MTN-999', 'MTN', 'x', '0', '1e3', 'MTN-1; drop table plans', 'constructor']) {
    it(`refuses an unknown plan: ${code}`, async () => {
      await assertNotSold('MTN', code, '100.00', 'data_plan_unknown');
    });
  }

  for (const amount of ['99.99', '100.01', '1', '10000']) {
    it(`refuses another price, naming the current one: ${amount}`, async () => {
      const before = await footprint(gateway.database);
      const answer = await order('MTN', 'MTN-1', amount);
      assertRefused(answer, 400, { field: 'amount', reason: 'amount_not_price' });
      assert.ok(answer.body.message.includes('100.00'));
      assert.deepEqual(await footprint(gateway.database), before);
    });
  }

  it('accepts the price in another spelling', async () => {
    for (const amount of ['100', '100.0', '100.00']) {
      assert.equal((await order('MTN', 'MTN-1', amount)).body.response_code, '00');
    }
  });

  it('follows the catalog when a plan is withdrawn or repriced, without a restart', async () => {
    const [withdrawn, repriced] = [plan('GLO', 5), plan('GLO', 6)];
    await gateway.database.transaction(async (tx) => {
      await tx.query('update plans set active = false where plan_code = $1', [withdrawn.plan_code]);
      await tx.query('update plans set price = price + 100 where plan_code = $1', [repriced.plan_code]);
      await announceChange(tx, 'plans');
    });
    const plans = await eventually('the list has changed', async () => {
      const now = await plansOf('glo');
      return now.length < (listed.get('GLO')?.length ?? 0) ? now : undefined;
    });
    assert.ok(!plans.some((entry) => entry.plan_code === withdrawn.plan_code));
    await assertNotSold('GLO', withdrawn.plan_code, withdrawn.price, 'data_plan_unknown');
    assertRefused(await order('GLO', repriced.plan_code, repriced.price), 400, 'amount');
    const now = plans.find((entry) => entry.plan_code === repriced.plan_code);
    assert.ok(now);
    await assertSold('GLO', now.plan_code, now);
  });
});

describe('a bill with test credentials', () => {
  it('needs no codes of the sandbox: a plan that only live providers know is simulated', async () => {
    await gateway.database.transaction(async (tx) => {
      await tx.query(
        `update plans
         set provider_codes = provider_codes - 'sandbox', price = price + 100
         where plan_code = '2170'`,
      );
      await announceChange(tx, 'plans');
    });
    const bill = cable({ network: 'STARTIMES', msisdn: testSmartcards.STARTIMES, plan_code: '2170' });
    const sold = await eventually('the new price is known', async () => {
      const answer = await buy(gateway, { ...bill, amount: '2501.00' });
      return answer.body.data?.reason === 'amount_not_price' || answer.status === 400 ? undefined : answer;
    });
    assert.deepEqual([sold.status, sold.body.response_code], [200, '00'], sold.text);
    const refused = await buy(gateway, {
      ...bill,
      amount: '2501.00',
      msisdn: '99999999999',
      request_ref: newReference(),
    });
    assert.deepEqual([refused.status, refused.body.response_code], [200, '01'], refused.text);
  });
});
