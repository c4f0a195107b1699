/**
 * Measures of accounts over 30 days: accounts with false answers get the grade of their counts, and
 * honest ones an A.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { listMeasures } from '../../../src/catalog/measures/measure-store.ts';
import { truthGrade } from '../../../src/catalog/measures/truth-grade.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { measureProviders } from '../../../src/finance/measures/measure-providers.ts';
import { beginTrouble } from '../../../src/notifications/alarms/alarm-store.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import { rollUp } from '../../catalog/margins/money.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

const ORDERS = 25;

function order(provider: string, fields: Partial<AcceptItem> = {}): AcceptItem {
  const item = purchase(buyer, 100_00n, { network: 'GLO', ...fields });
  const { attempt } = item;
  return { ...item, route: [provider], attempt: attempt && { ...attempt, provider } };
}

function said(
  provider: string,
  item: AcceptItem,
  kind: 'success' | 'failed' | 'unknown',
  fields: Partial<ResolveItem> = {},
): ResolveItem {
  const told = answer(buyer, item, kind, fields);
  return { ...told, answer: { ...told.answer, provider } };
}

/** Accepts orders, each of which its provider answers. */
async function answered(provider: string, count: number, kind: 'success' | 'failed'): Promise<AcceptItem[]> {
  const items = Array.from({ length: count }, () => order(provider));
  await accept(database, ...items);
  await resolveWords(database, ...items.map((item) => said(provider, item, kind)));
  return items;
}

/** Moves the stored times of a purchase into the past. */
async function makeOlder(ids: readonly string[], minutes: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    const by = [ids, minutes];
    await tx.query(
      `update purchases
       set created_at = created_at - $2 * interval '1 minute', stored_at = stored_at - $2 * interval '1 minute'
       where id = any($1::uuid[])`,
      by,
    );
    await tx.query(
      `update pending_purchases
       set created_at = created_at - $2 * interval '1 minute'
       where purchase_id = any($1::uuid[])`,
      by,
    );
  });
}

async function measured(provider: string) {
  const [measure, ...more] = await listMeasures(database, [provider]);
  assert.ok(measure);
  assert.deepEqual(more, []);
  return { ...measure, grade: truthGrade(measure) };
}

async function measure(): Promise<boolean> {
  return await measureProviders({ database, clock: systemClock, providers: [] });
}

describe('the results of accounts', () => {
  before(async () => {
    await answered('honest', ORDERS, 'success');
    await answered('honest', 5, 'failed');

    // The provider reverses a delivered order.
    const [first, second] = await answered('boaster', ORDERS, 'success');
    for (const item of [first, second]) {
      assert.ok(item);
      const back = said('boaster', item, 'failed', { source: 'query' });
      assert.deepEqual(await resolveWords(database, back, back), [
        'contradiction success',
        'contradiction success',
      ]);
    }

    // The provider delivers an order that it refused, even if the order was since sent to another.
    await answered('denier', ORDERS, 'success');
    const [refused] = await answered('denier', 4, 'failed');
    assert.ok(refused);
    const delivered = said('denier', refused, 'success', { source: 'callback' });
    assert.deepEqual(await resolveWords(database, delivered), ['contradiction failed']);

    // One became final after 11 minutes, and one is still unknown.
    await answered('silent', ORDERS, 'success');
    const late = order('silent');
    const unknown = order('silent');
    const fresh = order('silent');
    await accept(database, late, unknown, fresh);
    await resolveWords(
      database,
      said('silent', unknown, 'unknown'),
      said('silent', fresh, 'unknown'),
      said('silent', late, 'unknown'),
    );
    await makeOlder([late.id, unknown.id], 11);
    await resolveWords(database, said('silent', late, 'success', { source: 'query' }));

    await answered('spender', ORDERS, 'success');
    await beginTrouble(database, { provider: 'spender', kind: 'float_differs', message: 'it differs' });

    // Its statement contradicts its answers.
    const [missing] = await answered('forger', ORDERS, 'success');
    assert.ok(missing);
    await difference('forger', missing, 'failed_there_success_here');
    await difference('forger', missing, 'failed_there_success_here');
    await difference('forger', missing, 'cost_differs');

    await rollUp(database);
    assert.equal(await measure(), true);
  });

  async function difference(party: string, item: AcceptItem, kind: string): Promise<void> {
    const id = randomUUID();
    await database.query(
      `insert into reconciliation_runs (
         id, party, environment, source, from_at, to_at, applied, lines, differences, summary, run_by, run_principal, started_at
       )
       values ($1, $2, 'live', 'file', now(), now(), false, 1, 1, '{}', 'ada', 'user:ada', now())`,
      [id, party],
    );
    await database.query(
      `insert into reconciliation_differences (
         run_id, number, kind, merchant_id, purchase_id, at, amount, effect, here, there
       )
       values ($1, 1, $2, $3, $4, now(), 0, 0, 'success', 'failed')`,
      [id, kind, item.merchantId, item.id],
    );
  }

  it('grades an honest account A, and counts its refusals and costs', async () => {
    const honest = await measured('honest');
    assert.equal(honest.grade, 'A');
    const { delivered, answers, refusals, contradicted, long_unknown, differing_days } = honest;
    assert.deepEqual([delivered, answers, refusals], [25, 30, 5]);
    assert.deepEqual([contradicted, long_unknown, differing_days], [0, 0, 0]);
    assert.equal(honest.cost * 100n, honest.face_value * 97n);
    assert.deepEqual([honest.product, honest.network], ['airtime', 'GLO']);
    assert.ok(honest.final_ms !== null && honest.final_ms >= 0);
  });

  it('counts each reversed answer once', async () => {
    const { contradicted, delivered_refusals, grade } = await measured('boaster');
    assert.deepEqual([contradicted, delivered_refusals, grade], [2, 0, 'D']);
  });

  it('counts a refusal that had delivered', async () => {
    const { contradicted, delivered_refusals, refusals, grade } = await measured('denier');
    assert.deepEqual([contradicted, delivered_refusals, refusals, grade], [1, 1, 4, 'C']);
  });

  it('counts orders that were unknown for more than 10 minutes, and no younger ones', async () => {
    const { long_unknown, answers, grade } = await measured('silent');
    assert.deepEqual([long_unknown, answers, grade], [2, 26, 'D']);
  });

  it('counts the days on which the balance of the account differed', async () => {
    const { differing_days, grade } = await measured('spender');
    assert.deepEqual([differing_days, grade], [1, 'B']);
  });

  it('counts contradictions of a statement once, however many runs find them', async () => {
    const { contradicted, delivered_refusals, grade } = await measured('forger');
    assert.deepEqual([contradicted, delivered_refusals, grade], [1, 0, 'C']);
  });

  it('counts a refusal if another provider delivered', async () => {
    const first = order('failing');
    const both = { ...first, route: ['failing', 'sandbox'] };
    await accept(database, both);
    await resolveWords(
      database,
      said('failing', both, 'failed', { effect: { kind: 'retry', dueMs: 0, provider: 'sandbox' } }),
    );
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 2, 'sandbox', $3, 'the next of the route')`,
      [buyer.merchantId, both.id, `second-${both.id}`],
    );
    await database.query(
      "update pending_purchases set attempts = 2, step = 'query', provider = 'sandbox' where purchase_id = $1",
      [both.id],
    );
    await resolveWords(database, said('sandbox', both, 'success', { attempt: 2, source: 'query' }));
    await rollUp(database);
    await database.query("update provider_measures set measured_at = now() - interval '1 hour'");
    assert.equal(await measure(), true);
    const { delivered, answers, refusals } = await measured('failing');
    assert.deepEqual([delivered, answers, refusals], [0, 1, 1]);
    assert.equal((await measured('sandbox')).delivered, 1);
  });

  it('measures once a minute, in any one process', async () => {
    assert.equal(await measure(), false);
  });

  it('deletes measures after 30 days', async () => {
    await database.query('update provider_days set day = day - 30');
    await database.query("update provider_measures set measured_at = now() - interval '1 hour'");
    assert.equal(await measure(), true);
    const left = await listMeasures(database, ['honest', 'spender']);
    assert.deepEqual(left, []);
    assert.deepEqual(await database.query('select from provider_days'), []);
  });
});
