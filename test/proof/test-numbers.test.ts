/**
 * The test numbers: the outcome of each, sync and async, and its effect on the test wallet. All run
 * at once, because some take long.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  data,
  dataAsync,
  dataSync,
  openGatewayUnderTest,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import type { Answer } from '../support/gateway.ts';

// Own gateway: an order that its provider never received fails after a few queries.
const gateway = await openGatewayUnderTest({ settings: { OJA_NOT_FOUND_GRACE_S: '15' } });

type Expected = {
  readonly code: '00' | '01';
  /** The provider's answer to queries before the outcome. */
  readonly answers: readonly string[];
  readonly what: string;
};

const numbers: Readonly<Record<string, Expected>> = {
  '08000000000': { code: '00', answers: [], what: 'succeeds like any other' },
  '08000000001': { code: '01', answers: [], what: 'fails' },
  '08000000002': { code: '00', answers: ['accepted', 'success'], what: 'is pending, then succeeds' },
  '08000000003': { code: '01', answers: ['accepted', 'failed'], what: 'is pending, then fails' },
  '08000000004': {
    code: '00',
    answers: ['success'],
    what: 'times out after delivery, and succeeds once queried',
  },
  '08000000005': {
    code: '01',
    answers: ['not_found'],
    what: 'times out before delivery, and fails after the grace',
  },
};
const pendingAtFirst = Object.entries(numbers).filter(([, { answers }]) => answers.length > 0);

type Outcome = { readonly created: Answer; readonly final: Answer; readonly answers: readonly string[] };

const outcomes = new Map<string, Outcome>();

async function buy(path: string, body: Record<string, unknown>): Promise<void> {
  const created = await gateway.call('POST', path, { body });
  const final = await untilFinal(gateway, body.request_ref, 'test');
  const rows = await gateway.database.query<{ kind: string }>(
    `select distinct p.kind
     from provider_answers p
     join purchases v on v.merchant_id = p.merchant_id and v.id = p.purchase_id
     where v.reference = $1 and p.source = 'query'
     order by p.kind`,
    [body.request_ref],
  );
  const answers = rows.map(({ kind }) => kind);
  outcomes.set(`${path} ${body.msisdn}`, { created, final, answers });
}

function outcomeOf(path: string, msisdn: string): Outcome {
  const outcome = outcomes.get(`${path} ${msisdn}`);
  assert.ok(outcome);
  return outcome;
}

describe('the test numbers', () => {
  let spendableBefore = '';

  before(async () => {
    spendableBefore = (await walletOf(gateway)).available;
    await Promise.all(
      Object.keys(numbers).flatMap((msisdn) => [
        buy(airtimeSync, airtime({ msisdn })),
        buy(airtimeAsync, airtime({ msisdn })),
        buy(dataSync, data({ msisdn })),
        buy(dataAsync, data({ msisdn })),
      ]),
    );
  });

  for (const [msisdn, expected] of Object.entries(numbers)) {
    for (const path of [airtimeSync, dataSync]) {
      it(`${msisdn} ${expected.what}: the answer of ${path} shows it`, () => {
        const { created, final, answers } = outcomeOf(path, msisdn);
        assert.equal(created.status, 200, created.text);
        assert.equal(created.body.response_code, expected.code);
        assert.equal(created.body.status, expected.code === '00' ? 'success' : 'failed');
        assert.ok(created.body.data.created_at);
        assert.equal(final.body.code, expected.code);
        assert.deepEqual(answers, expected.answers);
      });
    }
    for (const path of [airtimeAsync, dataAsync]) {
      it(`${msisdn} ${expected.what}: after ${path} its status shows it`, () => {
        const { created, final, answers } = outcomeOf(path, msisdn);
        assert.equal(created.status, 200, created.text);
        assert.equal(created.body.response_code, '02');
        assert.equal(final.body.code, expected.code);
        assert.equal(final.body.state, expected.code === '00' ? 'success' : 'failed');
        assert.deepEqual(answers, expected.answers);
      });
    }
  }

  it('08000000005 fails because the provider did not receive it', () => {
    assert.equal(outcomeOf(airtimeSync, '08000000005').created.body.data.reason, 'not_received');
  });

  it('charge the test wallet for successes only', async () => {
    const succeeded = [...outcomes.values()].filter(({ final }) => final.body.code === '00').length;
    assert.equal(succeeded, 12);
    const { available, held } = await walletOf(gateway);
    assert.equal(Number(spendableBefore) - Number(available), succeeded * 100);
    assert.equal(held, '0.00');
  });

  it('are queried, and never sent again', async () => {
    const attempts = await gateway.database.query(
      `select v.recipient, max(a.number) as attempts
       from purchases v
       join attempts a on a.purchase_id = v.id
       group by v.recipient`,
    );
    assert.equal(attempts.length, Object.keys(numbers).length);
    assert.deepEqual(
      attempts.filter((row) => row.attempts !== 1),
      [],
    );
    for (const [msisdn] of pendingAtFirst) {
      const [row] = await gateway.database.query(
        `select count(*)::integer as queries
         from purchases v
         join provider_answers p on p.purchase_id = v.id
         where v.msisdn = $1
         and p.source = 'query'`,
        [msisdn],
      );
      assert.ok(Number(row?.queries) >= 4, `${msisdn} was queried ${row?.queries} times`);
    }
  });
});
