/**
 * The SQL of the pressure suite: holding locks and snapshots, and making a long history. It must
 * work on other versions of the gateway too, so it names as few columns as possible.
 */
import type { Database } from '../../src/db/database.ts';

/** Runs `work` while another connection holds the lock on a merchant's test wallets. */
export async function whileWalletLocked(
  database: Database,
  merchantCode: string,
  work: () => Promise<void>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `select
       from wallets
       where merchant_id = (select id from merchants where code = $1)
       and environment = 'test'
       for update`,
      [merchantCode],
    );
    await work();
  });
}

/** Runs `work` while another connection holds a snapshot, as pg_dump does. */
export async function whileSnapshotHeld(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction(
    async (tx) => {
      // The first statement takes the snapshot.
      await tx.query('select count(*) from merchants');
      await work();
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/**
 * Copies the newest final purchase of a merchant's test credentials `count` times, each older than
 * the one before, with a new id, reference and number. Money is not copied.
 */
export async function multiplyPurchase(
  database: Database,
  merchantCode: string,
  count: number,
): Promise<void> {
  await database.query(
    `with original as (
       select v.merchant_id, v.id
       from purchases v
       join purchase_outcomes o
         on o.merchant_id = v.merchant_id
         and o.purchase_id = v.id
       where v.merchant_id = (select id from merchants where code = $1)
       and v.environment = 'test'
       order by v.id desc
       limit 1
     ),
     copy as materialized (
       select
         n,
         clock_timestamp() - n * interval '1 second' as at,
         (
           lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint - n * 1000), 12, '0')
           || '7' || substr(md5(n::text), 1, 3)
           || '8' || substr(md5(n::text), 5, 15)
         )::uuid as id
       from generate_series(1, $2::integer) as n
     ),
     bought as (
       insert into purchases
       select made.*
       from original
       join purchases v using (merchant_id, id)
       cross join copy
       cross join lateral jsonb_populate_record(v, jsonb_build_object(
         'id', copy.id,
         'reference', 'copy-' || copy.n,
         'attempt_reference', 'copy-' || copy.n,
         'msisdn', '0803' || lpad(copy.n::text, 7, '0'),
         'recipient', '0803' || lpad(copy.n::text, 7, '0'),
         'created_at', copy.at
       )) as made
     )
     insert into purchase_outcomes
     select made.*
     from original
     join purchase_outcomes o on o.merchant_id = original.merchant_id and o.purchase_id = original.id
     cross join copy
     cross join lateral jsonb_populate_record(o, jsonb_build_object(
       'purchase_id', copy.id,
       'recipient', '0803' || lpad(copy.n::text, 7, '0'),
       'at', copy.at
     )) as made`,
    [merchantCode, count],
  );
  // The list takes its totals from these counters.
  await database.query(
    `insert into purchase_counts (merchant_id, environment, network, status, count)
     select m.id, 'test', 'MTN', s.status, $2::bigint
     from merchants m
     cross join (values ('accepted'), ('success')) as s(status)
     where m.code = $1
     on conflict (merchant_id, environment, network, status)
     do update set count = purchase_counts.count + excluded.count`,
    [merchantCode, count],
  );
  await database.session(async (sql) => {
    await sql.query('vacuum analyze purchases');
    await sql.query('vacuum analyze purchase_outcomes');
  });
}

/** Ids of a merchant's test purchases, that many deep in its history. */
export async function deepIds(
  database: Database,
  merchantCode: string,
  depth: number,
  count: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `select id
     from purchases
     where merchant_id = (select id from merchants where code = $1)
     and environment = 'test'
     order by id desc
     offset $2
     limit $3`,
    [merchantCode, depth, count],
  );
  return rows.map(({ id }) => id);
}
