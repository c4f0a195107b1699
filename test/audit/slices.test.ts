/**
 * A slice of the audit reads a bounded number of rows of every table, whether a merchant has many
 * purchases, or many deposits, corrections and vouchers and few purchases.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { findMerchantBound, findSubjectBound } from '../../src/audit/audit-bound-store.ts';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { findTableBound, type TablePlace } from '../../src/audit/audit-slice-store.ts';
import { prepareAudit } from '../../src/audit/audit-store.ts';
import { type Shortly, walkTable } from '../../src/audit/walk-slices.ts';
import { leastId } from '../../src/core/ids.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { assignDeposit } from '../../src/funding/operations/assign-deposit.ts';
import { cancelVoucher } from '../../src/wallet/vouchers/operations/cancel-voucher.ts';
import { issueVouchers } from '../../src/wallet/vouchers/operations/issue-vouchers.ts';
import { createTestDatabase } from '../support/database.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { lookedAt } from '../support/looked-at.ts';
import { answer, buy, delivered, openShop } from './fixture.ts';
import { failedOf } from './spoilt.ts';
import { settleOrder, takeVoucher, VALUE } from './vouchers.ts';

const database = await openFileDatabase();

/** The number of each kind. Ids follow from numbers, so every run has the same slices. */
const MANY = 1_000;
const ROWS = 100;

/** Tables that grow with the history. */
const history = [
  ...[
    'purchases',
    'further_attempts',
    'further_answers',
    'purchase_outcomes',
    'transfers',
    'audit_log',
    'audit_log_chain',
  ],
  ...['deposits', 'deposit_assignments', 'vouchers', 'voucher_redemptions'],
];

const shop = await openShop(database);
const purchase = await buy(database, shop, 'only');
await answer(database, shop, purchase, 'success', delivered(shop, 9_700n));
await database.transaction(async (tx) => {
  await tx.query('set local session_replication_role = replica');
  const house = async (code: string, kind: string): Promise<bigint> => {
    const [row] = await tx.query<{ id: bigint }>(
      `insert into accounts (code, kind, environment, currency)
       values ($1, $2, 'live', 'NGN')
       returning id`,
      [code, kind],
    );
    return row?.id ?? assert.fail(code);
  };
  const bank = await house('bank:many:live:NGN', 'bank');
  const suspense = await house('suspense:live:NGN', 'suspense');
  const vouchers = await house('vouchers:live:NGN', 'vouchers');
  const [corrections] = await tx.query<{ id: bigint }>("select id from accounts where kind = 'corrections'");
  const moved = (rows: string) =>
    tx.query(
      `with m as (${rows}),
       t as (
         insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
         select merchant_id, id, code, debit, credit, amount from m
       ),
       h as (
         insert into house_deltas (account_id, delta)
         select account_id, sum(moved)
         from (select debit as account_id, -amount as moved from m union all select credit, amount from m) l
         where account_id <> ${shop.walletId}
         group by account_id
       )
       insert into wallet_states
       select n.*
       from next_wallet_state(
         ${shop.walletId},
         (
           select coalesce(sum(case ${shop.walletId} when debit then -amount when credit then amount else 0 end), 0)::bigint
           from m
         ),
         0
       ) n`,
    );
  await tx.query(`
    insert into deposits (id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, paid_at)
    select md5('deposit ' || n)::uuid, 'many', 'paid-' || n, 'live', 'NGN', '', case when n % 2 = 0 then ${shop.merchantId} end, 1, 0, now()
    from generate_series(1, ${2 * MANY}) as n`);
  await moved(`
    select coalesce(merchant_id, 0) as merchant_id, id, 'deposit_gross' as code, ${bank}::bigint as debit, ${suspense}::bigint as credit, 1 as amount
    from deposits`);
  await moved(`
    select merchant_id, id, 'deposit_net' as code, ${suspense}::bigint as debit, ${shop.walletId}::bigint as credit, 1 as amount
    from deposits
    where merchant_id is not null`);
  await tx.query(`
    insert into audit_log (actor, action, subject)
    select 'ada', 'wallet.credit', 'correction:' || md5('correction ' || n)::uuid
    from generate_series(1, ${MANY}) as n`);
  await tx.query(`
    select append_to_audit_chain(a)
    from audit_log a
    where not exists (select from audit_log_chain c where c.entry_id = a.id)`);
  await moved(`
    select ${shop.merchantId} as merchant_id, split_part(l.subject, ':', 2)::uuid as id, 'correction' as code,
      ${corrections?.id ?? 0n}::bigint as debit, ${shop.walletId}::bigint as credit, 1 as amount
    from audit_log l
    where l.subject like 'correction:%'
    and not exists (select 1 from transfers t where t.subject_id = split_part(l.subject, ':', 2)::uuid)`);
  // Issues of ten each.
  await tx.query(`
    insert into vouchers (merchant_id, id, environment, issue_id, code_hash, hint, value)
    select ${shop.merchantId}, md5(i.id::text || n)::uuid, 'live', i.id, sha256(convert_to(i.id::text || n, 'UTF8')), 'XXXX', 1
    from (select md5('issue ' || n)::uuid as id from generate_series(1, ${MANY / 10}) as n) i
    cross join generate_series(1, 10) as n`);
  await moved(`
    select ${shop.merchantId} as merchant_id, issue_id as id, 'voucher_issue' as code, ${shop.walletId}::bigint as debit,
      ${vouchers}::bigint as credit, count(*) as amount
    from vouchers
    group by issue_id`);
});

await database.query('analyze');

/**
 * The maximum number of rows that one transaction of an audit reads, and the findings of the audit.
 */
async function audit(): Promise<{ most: number; found: string[] }> {
  let most = 0;
  const counting: Pick<Database, 'transaction'> = {
    transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const done: T[] = [];
      const looked = await lookedAt(database, history, async (tx) => {
        // Plans as for a long table, without sequential scans.
        await tx.query('set local enable_seqscan = off');
        done.push(await work(tx));
      });
      most = Math.max(most, looked);
      return done[0] as T;
    },
  };
  const { checks } = await auditPurchases(counting, { rowsPerSlice: ROWS });
  return { most, found: [...failedOf(checks).keys()] };
}

/** Runs `between` once, after the moment whose balances an audit compares with. */
async function auditAround(between: () => Promise<void>): Promise<string[]> {
  let transactions = 0;
  const { checks } = await auditPurchases({
    transaction: async (work, options) => {
      const done = await database.transaction(work, options);
      transactions += 1;
      // The first checks whether outcomes are complete, the second is the cut.
      if (transactions === 2) await between();
      return done;
    },
  });
  return [...failedOf(checks).keys()];
}

test('counts vouchers and deposits that change during an audit as of its moment', async () => {
  const pepper = createSecretKey(randomBytes(32));
  const issue = async (count: number): Promise<string[]> => {
    const given = { merchantCode: 'SHOP', environment: 'live', value: VALUE, count } as const;
    const { vouchers } = await database.transaction((tx) => issueVouchers(tx, pepper, given, 'ada'));
    return vouchers.map(({ id }) => id);
  };
  const take = (name: string, id: string | undefined) =>
    takeVoucher(database, shop, name, id ?? assert.fail());
  const [cancelled, taken, fails, succeeds, again] = await issue(6);
  const failing = await take('fails', fails);
  const succeeding = await take('succeeds', succeeds);
  const failed = await take('again', again);
  await settleOrder(database, shop, failed, 'failed');
  const [deposit] = await database.query<{ id: string }>(
    'select id from deposits where merchant_id is null limit 1',
  );
  const found = await auditAround(async () => {
    await database.transaction((tx) => cancelVoucher(tx, cancelled ?? assert.fail(), 'ada'));
    await take('taken', taken);
    await settleOrder(database, shop, failing, 'failed');
    await settleOrder(database, shop, succeeding, 'success');
    await settleOrder(database, shop, await take('anew', again), 'failed');
    const [late] = await issue(2);
    await database.transaction((tx) => cancelVoucher(tx, late ?? assert.fail(), 'ada'));
    const depositId = deposit?.id ?? assert.fail();
    await database.transaction((tx) => assignDeposit(tx, { depositId, merchantCode: 'SHOP' }, 'ada'));
  });
  assert.deepEqual(found, []);
  assert.deepEqual(await auditAround(async () => undefined), []);
});

test('reads only a part in each slice, also of deposits, corrections and vouchers', async () => {
  const { most, found } = await audit();
  assert.ok(most < 30 * ROWS, `one transaction looked at ${most} rows`);
  assert.deepEqual(found, []);
});

test('finds the ends of slices of attempts by the indexes of both tables', async () => {
  await using filled = await createTestDatabase();
  await filled.database.transaction(async (tx) => {
    await tx.query(`
      insert into purchases (
        merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route,
        attempt_reference
      )
      select
        1, 'live', md5(n::text)::uuid, n, 'airtime', 'MTN', '', '', 1, 1, 1, 'sync', 'many',
        case when n % 10 > 0 then 'attempt-' || lpad(n::text, 5, '0') end
      from generate_series(1, ${MANY}) as n`);
    await tx.query(`
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      select 1, md5(n::text)::uuid, 1, 'many', 'attempt-' || lpad(n::text, 5, '0'), ''
      from generate_series(10, ${MANY}, 10) as n`);
  });
  const ends: unknown[] = [];
  let above: TablePlace | undefined;
  do {
    const looked = await lookedAt(filled.database, history, async (tx) => {
      above = await findTableBound(tx, 'attempts', above, ROWS);
    });
    assert.ok(looked <= 6 * ROWS, `${looked} rows were looked at for a slice of ${ROWS}`);
    ends.push(above?.[0]);
  } while (above !== undefined);
  const wanted = Array.from(
    { length: 9 },
    (_, n) => `attempt-${String((n + 1) * (ROWS + 1)).padStart(5, '0')}`,
  );
  assert.deepEqual(ends, [...wanted, undefined]);
});

test('finds the ends of slices of many merchants without reading on', async () => {
  await using filled = await createTestDatabase();
  await filled.database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`
      insert into purchases (
        merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route,
        attempt_reference
      )
      select 1 + n / 10, 'live', md5(n::text)::uuid, n, 'airtime', 'MTN', '', '', 1, 1, 1, 'sync', 'many', 'attempt-' || n
      from generate_series(0, ${2 * MANY - 1}) as n`);
    await tx.query(`
      insert into purchase_outcomes (
        merchant_id, environment, purchase_id, status, reason, network, recipient, attempt, answer_source, answer_kind,
        answer_code, answer_message
      )
      select merchant_id, environment, id, 'failed', 'refused', network, recipient, 1, 'purchase', 'failed', '16', ''
      from purchases`);
  });
  let large: number | undefined;
  const merchants = await lookedAt(filled.database, history, async (tx) => {
    large = await findMerchantBound(tx, 0, ROWS);
  });
  assert.equal(large, 1 + ROWS / 10);
  assert.ok(merchants <= 10 * ROWS, `${merchants} rows were looked at for a slice of ${ROWS}`);
  const subjects = await lookedAt(filled.database, history, async (tx) => {
    assert.notEqual(await findSubjectBound(tx, 1, leastId, 4), undefined);
  });
  assert.ok(subjects <= 100, `${subjects} rows were looked at for a slice of 4`);
});

test('reads a slice of references of a merchant with many by their index', async () => {
  await using filled = await createTestDatabase();
  await filled.database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`
      insert into purchases (
        merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route
      )
      select 1, 'live', gen_random_uuid(), md5(n::text), 'airtime', 'MTN', '', '', 1, 1, 1, 'sync', 'many'
      from generate_series(1, ${20 * MANY}) as n`);
    await tx.query('analyze purchases');
  });
  let most = 0;
  const shortly: Shortly = async (work) => {
    const done: unknown[] = [];
    const looked = await lookedAt(filled.database, history, async (tx) => {
      await prepareAudit(tx);
      // Plans as for a long table, without sequential scans.
      await tx.query('set local enable_seqscan = off');
      done.push(await work(tx));
    });
    most = Math.max(most, looked);
    return done[0] as never;
  };
  await walkTable(shortly, ROWS, 'purchases', async (tx, { tables, values }) => {
    await tx.query(`with ${tables.join()} select reference, count(*) from purchases group by 1`, values);
  });
  assert.ok(most <= 10 * ROWS, `${most} rows were looked at for a slice of ${ROWS}`);
});
