/** What was audited before it was anonymised is not taken for new by the audit after it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runAudit } from '../../src/audit/run-audit.ts';
import { Forgetting } from '../../src/retention/forget-old.ts';
import { sell } from '../margins/money.ts';
import { createTestDatabase } from '../support/database.ts';
import { openBuyer } from '../vending/fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);
const one = { charge: 1_00n, cost: 97n };
const periods = { purchases: 30, customers: 0, deliveries: 0, identities: 0 };
const later = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const month = new Forgetting(periods, () => later(31));

async function audit(): Promise<string> {
  const { kind, checks } = await runAudit(database, { sinceLast: true });
  return [kind, ...checks.filter(({ ok }) => !ok).map(({ name }) => name)].join();
}

async function masked(): Promise<number> {
  return (await database.query("select from vends where recipient like '%*%'")).length;
}

/** As if it was final so many days ago. */
async function age(days: number): Promise<void> {
  await database.query("update vend_outcomes set at = at - $1 * interval '1 day'", [days]);
}

test('a purchase that was audited minutes after it, and anonymised a month later', async () => {
  await sell(database, database, buyer, one, one);
  await age(31);
  assert.equal(await audit(), 'whole');
  await database.query("update audit_runs set cut_at = cut_at - interval '31 days'");
  await month.run(database);
  assert.equal(await masked(), 2);
  assert.equal(await audit(), 'whole');
  assert.equal(await audit(), 'since_last');
});

test('a purchase that is old and became final today keeps its data for three days', async () => {
  await sell(database, database, buyer, one);
  // An hour before what is the present of the job.
  await age(-31 + 1 / 24);
  assert.equal(await audit(), 'since_last');
  await month.run(database);
  assert.equal(await masked(), 2);
  assert.equal(await audit(), 'since_last');
  await new Forgetting(periods, () => later(35)).run(database);
  assert.equal(await masked(), 3);
});
