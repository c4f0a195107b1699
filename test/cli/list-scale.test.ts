/** Long lists of the command line: rare rows are found without reading the rest. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listCatalogChanges } from '../../src/catalog/catalog-change-store.ts';
import { newId } from '../../src/core/ids.ts';
import type { Sql } from '../../src/db/database.ts';
import { type DepositFilter, listDeposits } from '../../src/funding/deposit-store.ts';
import { listAlarms } from '../../src/notifications/alarms/alarm-store.ts';
import { listDeliveries } from '../../src/notifications/messages/delivery-store.ts';
import { listAuditEntries } from '../../src/oversight/log/audit-log-store.ts';
import { findVoucher, listVouchers, listVouchersOfIssue } from '../../src/wallet/vouchers/voucher-store.ts';
import { type Buyer, openBuyer } from '../purchases/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { lookedAt } from '../support/looked-at.ts';

const ROWS = 20_000;
const DAY_MS = 86_400_000;

const database = await openFileDatabase();

async function looksOf(table: string, work: (sql: Sql) => Promise<readonly unknown[]>, found: number) {
  const read = await lookedAt(database, [table], async (tx) => {
    assert.equal((await work(tx)).length, found);
  });
  assert.ok(read <= 60, `${read} were looked at to find ${found}`);
}

describe('a long list', () => {
  let rich: Buyer;
  let rare: Buyer;

  before(async () => {
    rich = await openBuyer(database, 0n);
    rare = await openBuyer(database, 0n);
    await database.query(
      `insert into alarms (kind, message, acknowledged_at)
       select 'test', 'test', case when n > 1 then now() end
       from generate_series(1, $1::integer) as n`,
      [ROWS],
    );
    await database.query(
      `insert into audit_log (actor, action, subject, principal, edge, at)
       select
         case when n = 1 then 'ada' else 'bob' end,
         case n when 1 then 'wallet.credit' when 2 then 'key.rotate' else 'wallet.set_floor' end,
         case when n = 3 then 'wallet:RARE' else 'wallet:RICH' end,
         case n when 4 then 'user:eve' when 5 then null else 'user:root' end,
         case n when 4 then 'admin' when 5 then null else 'cli' end,
         timestamptz '2026-06-01T12:00Z' + n * interval '1 second'
       from generate_series(1, $1::integer) as n`,
      [ROWS],
    );
    await database.query(
      `insert into catalog_changes (actor, source, product, subject, after)
       select 'ada', 'test', 'data', case when n = 1 then 'RARE-1' else 'RICH-1' end, '{}'
       from generate_series(1, $1::integer) as n`,
      [ROWS],
    );
    await database.query(
      `insert into deposits (id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, paid_at)
       select
         ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
         case when n = 1 then 'paystack' else 'monnify' end,
         n::text,
         'live',
         'NGN',
         'account',
         case n when 2 then $3::integer when 3 then null else $2::integer end,
         100,
         0,
         case when n = 4 then timestamptz '2026-01-01T12:00Z' else timestamptz '2026-06-01' + n * interval '1 second' end
       from generate_series(1, $1::integer) as n`,
      [ROWS, rich.merchantId, rare.merchantId],
    );
    await insertDeliveries();
    await database.query('analyze');
  });

  async function insertDeliveries(): Promise<void> {
    await database.query(
      `with sold as (
         insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value,
           charge, wallet_id, mode, route)
         select $2, 'live', gen_random_uuid(), n, 'esim', 'esim', 'none', 'none', 1, 1, $3, 'order', 'sandbox'
         from generate_series(1, $1::integer) as n
         returning merchant_id, environment, id, reference
       )
       insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state)
       select merchant_id, environment, id, 'email', '', '', case reference when '1' then 'refused' when '2' then 'waiting' else 'sent' end
       from sold`,
      [ROWS, rich.merchantId, rich.walletId],
    );
  }

  it('lists open alarms', async () => {
    await looksOf('alarms', (sql) => listAlarms(sql, { acknowledgedToo: false, limit: 10 }), 1);
    await looksOf('alarms', (sql) => listAlarms(sql, { acknowledgedToo: true, limit: 10 }), 10);
  });

  it('lists the audit log by actor, operation and subject', async () => {
    const all = { limit: 10 };
    const hourOf = (hour: string) => ({ from: new Date(hour), to: new Date(Date.parse(hour) + 3_600_000) });
    const [early, late] = [hourOf('2026-06-01T12:00Z'), hourOf('2026-06-01T17:00Z')];
    for (const [filter, found] of [
      [{}, 10],
      [early, 10],
      [hourOf('2026-06-02T12:00Z'), 0],
      [{ ...early, actor: 'bob' }, 10],
      [{ ...late, actor: 'ada' }, 0],
      [{ ...early, action: 'wallet.set_floor' }, 10],
      [{ ...early, principal: 'user:root' }, 10],
      [{ ...early, principal: 'user:root', edge: 'cli', action: 'wallet' }, 10],
      [{ principal: 'user:eve' }, 1],
      [{ ...late, principal: 'user:eve' }, 0],
      [{ principal: 'user:root', action: 'wallet.transfer' }, 0],
      [{ principal: 'user:eve', action: 'wallet', subject: 'wallet:RICH' }, 1],
      [{ principal: 'user:eve', action: 'key' }, 0],
      [{ edge: 'admin' }, 1],
      [{ edge: 'admin', principal: 'user:root' }, 0],
      [{ after: await entryAt(10), actor: 'bob' }, 8],
      [{ after: await entryAt(15_000), principal: 'user:root' }, 10],
      [{ actor: 'ada' }, 1],
      [{ action: 'key.rotate' }, 1],
      [{ action: 'key' }, 1],
      [{ action: 'wallet' }, 10],
      [{ subject: 'wallet:RARE' }, 1],
      [{ subject: 'wallet:NONE' }, 0],
      [{ actor: 'bob', action: 'key' }, 1],
      [{ actor: 'bob', action: 'wallet.credit' }, 0],
      [{ actor: 'ada', subject: 'wallet:RARE' }, 0],
    ] as const) {
      await looksOf('audit_log', (sql) => listAuditEntries(sql, { ...all, ...filter }), found);
    }
  });

  it('continues the audit log after an entry, each entry once', async () => {
    const seen: bigint[] = [];
    for (let after: bigint | undefined; ; after = seen.at(-1)) {
      const page = await listAuditEntries(database, { subject: 'wallet:RICH', after, limit: 3_000 });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    assert.equal(new Set(seen).size, ROWS - 1);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });

  /** The entry whose place in the order of time is `n`. */
  async function entryAt(n: number): Promise<bigint> {
    const [row] = await database.query<{ id: bigint }>(
      "select id from audit_log where at = timestamptz '2026-06-01T12:00Z' + $1 * interval '1 second'",
      [n],
    );
    return row?.id ?? assert.fail(`no entry ${n}`);
  }

  it('lists catalog changes of one item', async () => {
    await looksOf('catalog_changes', (sql) => listCatalogChanges(sql, { subject: 'RARE-1', limit: 10 }), 1);
    await looksOf('catalog_changes', (sql) => listCatalogChanges(sql, { limit: 10 }), 10);
  });

  it('lists vouchers by issue and state, and one by its id', async () => {
    const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    await database.query(
      `insert into vouchers (merchant_id, environment, issue_id, id, code_hash, hint, value, cancelled_at)
       select $2, 'live', case when n < 3 then $3::uuid else $4::uuid end, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
         sha256(n::text::bytea), '', 100, case when n > 2 then now() end
       from generate_series(1, $1::integer) as n`,
      [ROWS, rich.merchantId, newId(), newId()],
    );
    await database.query('analyze vouchers');
    const one = await findVoucher(database, idOf(7));
    const rareOne = await findVoucher(database, idOf(1));
    assert.ok(one && rareOne);
    await looksOf('vouchers', async (sql) => [await findVoucher(sql, idOf(7))], 1);
    await looksOf('vouchers', (sql) => listVouchersOfIssue(sql, rareOne.issue_id), 2);
    const filter = { merchantId: rich.merchantId, environment: undefined, state: undefined, limit: 10 };
    const open = await listVouchers(database, { ...filter, state: 'open' }, 3_000);
    assert.deepEqual(
      open.map(({ id }) => id),
      [idOf(2), idOf(1)],
    );
    const cancelled = await listVouchers(database, { ...filter, state: 'cancelled', limit: ROWS }, 3_000);
    assert.equal(cancelled.length, ROWS - 2);
    assert.deepEqual(
      cancelled.map(({ id }) => id),
      cancelled.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1)),
    );
    assert.deepEqual(await listVouchers(database, { ...filter, environment: 'test' }, 3_000), []);
    assert.deepEqual(await listVouchers(database, { ...filter, state: 'redeemed' }), []);
  });

  it('lists deliveries that did not arrive', async () => {
    const list = (states: Parameters<typeof listDeliveries>[1]['states']) => (sql: Sql) =>
      listDeliveries(sql, { states, limit: 10 });
    await looksOf('deliveries', list(['refused', 'given_up']), 1);
    await looksOf('deliveries', list(['given_up']), 0);
    await looksOf('deliveries', list(['refused', 'waiting', 'due']), 2);
  });

  it('lists deposits by merchant, provider and day, and those in suspense', async () => {
    const all: DepositFilter = {
      suspense: false,
      merchantId: undefined,
      provider: undefined,
      from: undefined,
      to: undefined,
      limit: 10,
    };
    const dayOf = (day: string) => ({ from: new Date(day), to: new Date(Date.parse(day) + DAY_MS) });
    for (const [filter, found] of [
      [{}, 10],
      [{ provider: 'paystack' }, 1],
      [{ provider: 'sandbox' }, 0],
      [{ merchantId: rare.merchantId }, 1],
      [{ merchantId: rich.merchantId }, 10],
      [{ suspense: true }, 1],
      [{ suspense: true, provider: 'paystack' }, 0],
      [dayOf('2026-01-01'), 1],
      [dayOf('2026-01-02'), 0],
      [{ ...dayOf('2026-01-01'), provider: 'monnify' }, 1],
      [{ ...dayOf('2026-01-01'), provider: 'paystack' }, 0],
      [{ ...dayOf('2026-01-01'), merchantId: rich.merchantId }, 1],
      [{ ...dayOf('2026-01-01'), merchantId: rare.merchantId }, 0],
    ] as const) {
      await looksOf('deposits', (sql) => listDeposits(sql, { ...all, ...filter }), found);
    }
    // For any depth of the list.
    const after = '00000000-0000-7000-8000-000000000100';
    for (const filter of [
      {},
      { provider: 'monnify' },
      { merchantId: rich.merchantId },
      { from: new Date('2026-06-01'), to: new Date('2027-06-01') },
    ]) {
      await looksOf('deposits', (sql) => listDeposits(sql, { ...all, ...filter, after }), 10);
    }
  });
});
