/**
 * SQL of statements: the transfers of a wallet in order, and the posted balance at any position in
 * that order.
 *
 * A position is a transfer's id. Ids are assigned under the wallet's lock, so the visible transfers
 * of a wallet are always its first ones, and what was visible up to a position never changes.
 * Transfers are read by (merchant, id), an index that purchases need anyway; marks show in which
 * ranges the wallet did not move.
 */

import type { Environment } from '../core/environment.ts';
import type { Sql, Tx } from '../db/database.ts';

export type StatedWallet = {
  readonly accountId: bigint;
  readonly merchantId: number;
  readonly environment: Environment;
};

/** A position in the order of a wallet's transfers, and the sum up to and including it. */
export type Place = { readonly id: bigint; readonly balance: bigint };

/** `lastId`: the wallet's own last transfer up to there. */
export type Mark = Place & { readonly lastId: bigint };

const START: Mark = { id: 0n, balance: 0n, lastId: 0n };

/**
 * Finds the last mark whose transfers are all before the given time. Read it and continue from it
 * in one snapshot.
 */
export async function findMarkBefore(sql: Sql, walletId: bigint, before: Date): Promise<Place> {
  const [mark] = await sql.query<Place>(
    `select transfer_id as id, balance
     from statement_marks
     where wallet_id = $1
     and at < $2
     order by transfer_id desc
     limit 1`,
    [walletId, before],
  );
  return mark ?? START;
}

/** The last mark at a position or before it. */
export async function findMarkUpTo(sql: Sql, walletId: bigint, id: bigint): Promise<Mark> {
  const [mark] = await sql.query<Mark>(
    `select transfer_id as id, balance, last_id as "lastId"
     from statement_marks
     where wallet_id = $1
     and transfer_id <= $2
     order by transfer_id desc
     limit 1`,
    [walletId, id],
  );
  return mark ?? START;
}

/** A range of transfers between two positions. */
export type Stretch = { readonly after: bigint; readonly upTo: bigint };

/**
 * Finds the first range after a position in which the wallet moved, by its marks. The last range,
 * after the last mark, may have no movement. Before the range the wallet did not move.
 */
export async function findStretch(sql: Sql, walletId: bigint, { after, upTo }: Stretch): Promise<Stretch> {
  const [stretch] = await sql.query<{ above: bigint; end: bigint | null }>(
    `select
       coalesce(
         (
           select max(transfer_id)
           from statement_marks
           where wallet_id = $1
           and transfer_id < coalesce(m.transfer_id, 9223372036854775807)
         ),
         0
       ) as above,
       m.transfer_id as end
     from (values (1)) one
     left join lateral (
       select transfer_id
       from statement_marks
       where wallet_id = $1
       and transfer_id > $2
       and last_id > $2
       order by transfer_id
       limit 1
     ) m on true`,
    [walletId, after],
  );
  const { above = 0n, end } = stretch ?? {};
  return { after: above > after ? above : after, upTo: end == null || end > upTo ? upTo : end };
}

/**
 * Continues from a position to the last id to count. Without such an id, continues from the last
 * mark before a time to that time, which must not be after the next mark. `at` is the latest
 * movement of the wallet in the range, undefined if there is none.
 */
export async function walk(
  sql: Sql,
  wallet: StatedWallet,
  from: Place,
  end: { readonly upTo: bigint } | { readonly before: Date },
): Promise<Place & { readonly at: Date | undefined }> {
  const upTo = 'upTo' in end ? end.upTo : null;
  const before = 'before' in end ? end.before : null;
  const [sum] = await sql.query<{ id: bigint | null; moved: bigint; at: Date | null }>(
    `with leg as (
       select id, case credit_account_id when $1 then amount else -amount end as delta, created_at
       from transfers
       where merchant_id = $2
       and id > $3
       and id <= coalesce(
         $4::bigint,
         (select min(transfer_id) from statement_marks where wallet_id = $1 and transfer_id > $3),
         9223372036854775807
       )
       and $1 in (debit_account_id, credit_account_id)
     )
     select max(id) as id, coalesce(sum(delta), 0)::bigint as moved, max(created_at) as at
     from leg
     -- Ends before the first transfer of that moment or later: if a clock was set back, each
     -- transfer still belongs to one day.
     where id < coalesce((select min(id) from leg where created_at >= $5::timestamptz), 9223372036854775807)`,
    [wallet.accountId, wallet.merchantId, from.id, upTo, before],
  );
  return {
    id: sum?.id ?? from.id,
    balance: from.balance + (sum?.moved ?? 0n),
    at: sum?.at ?? undefined,
  };
}

/** One movement of a subject on a wallet. Positive: it came in. */
export type LegRow = {
  readonly id: bigint;
  readonly subject_id: string;
  readonly code: string;
  readonly amount: bigint;
  readonly created_at: Date;
  readonly purchase_reference: string | null;
  readonly product: string | null;
  readonly network: string | null;
  readonly recipient: string | null;
  readonly deposit_reference: string | null;
  readonly paid_to: string | null;
  /** The reason of a correction, or the text of a voucher or refund about its purchase. */
  readonly memo: string | null;
};

/**
 * The wallet's transfers between two positions, oldest first. Each subject is looked up in a
 * subquery, by a merchant that the planner cannot see (see purchase-store.ts); otherwise it may
 * read all purchases of a new merchant for each transfer.
 */
export async function listLegs(
  sql: Sql,
  wallet: StatedWallet,
  { after, upTo, limit }: Stretch & { readonly limit: number },
): Promise<LegRow[]> {
  return await sql.query<LegRow>(
    `select
       t.id,
       t.subject_id,
       t.code,
       case t.credit_account_id when $1 then t.amount else -t.amount end as amount,
       t.created_at,
       v.reference as purchase_reference,
       v.product,
       v.network,
       v.msisdn as recipient,
       (
         select provider_reference
         from deposits
         where id = t.subject_id
       ) as deposit_reference,
       (
         select paid_to
         from deposits
         where id = t.subject_id
       ) as paid_to,
       nullif(t.memo, '') as memo
     from (
       select id, subject_id, code, debit_account_id, credit_account_id, amount, created_at, memo
       from transfers
       where merchant_id = $2
       and id > $4
       and id <= $5
       and $1 in (debit_account_id, credit_account_id)
       order by id
       limit $6
     ) t
     left join lateral (
       select reference, product, network, msisdn
       from purchases
       where merchant_id = (select $2::integer)
       and environment = (select $3::text)
       and id = t.subject_id
       limit 1
     ) v on true
     order by t.id`,
    [wallet.accountId, wallet.merchantId, wallet.environment, after, upTo, limit],
  );
}

/** The position of a subject's last transfer on the wallet. */
export async function findPlaceOf(
  sql: Sql,
  wallet: StatedWallet,
  subjectId: string,
): Promise<bigint | undefined> {
  const [row] = await sql.query<{ id: bigint | null }>(
    `select max(id) as id
     from transfers
     where merchant_id = $1
     and subject_id = $2
     and $3 in (debit_account_id, credit_account_id)`,
    [wallet.merchantId, subjectId, wallet.accountId],
  );
  return row?.id ?? undefined;
}

/**
 * The subject of the transfer at a position, or of the wallet's last transfer before it. If the
 * wallet did not move since the previous mark, that mark names the transfer.
 */
export async function findSubjectAt(
  sql: Sql,
  wallet: StatedWallet,
  { after, upTo }: Stretch,
): Promise<string | undefined> {
  const { id, lastId } = await findMarkUpTo(sql, wallet.accountId, upTo);
  const since = await findLastSubject(sql, wallet, { after: id > after ? id : after, upTo });
  if (since !== undefined || id <= after) return since;
  return lastId > after
    ? await findLastSubject(sql, wallet, { after: lastId - 1n, upTo: lastId })
    : undefined;
}

async function findLastSubject(
  sql: Sql,
  wallet: StatedWallet,
  { after, upTo }: Stretch,
): Promise<string | undefined> {
  const [row] = await sql.query<{ subject_id: string }>(
    `select subject_id
     from transfers
     where merchant_id = $1
     and id > $2
     and id <= $3
     and $4 in (debit_account_id, credit_account_id)
     order by id desc
     limit 1`,
    [wallet.merchantId, after, upTo, wallet.accountId],
  );
  return row?.subject_id;
}

/**
 * Waits for the transactions that currently move the wallet, and returns the database's time then:
 * every later movement has a later time, and a higher id than any visible transfer. Purchases wait
 * for this transaction, so it must end at once.
 */
export async function awaitMovers(tx: Tx, walletId: bigint): Promise<Date | undefined> {
  const [row] = await tx.query<{ now: Date }>(
    `select clock_timestamp() as now
     from wallet_owners
     where account_id = $1
     for share`,
    [walletId],
  );
  return row?.now;
}

export async function insertMark(
  sql: Sql,
  wallet: StatedWallet,
  mark: Mark & { readonly at: Date | undefined },
): Promise<void> {
  await sql.query(
    `insert into statement_marks (merchant_id, wallet_id, transfer_id, at, balance, last_id)
     values (
       $6,
       $1,
       $2,
       greatest(
         $3::timestamptz,
         (select max(at) from statement_marks where wallet_id = $1 and transfer_id < $2),
         '-infinity'::timestamptz
       ),
       $4,
       $5
     )
     on conflict (wallet_id, transfer_id, merchant_id) do nothing`,
    [wallet.accountId, mark.id, mark.at ?? null, mark.balance, mark.lastId, wallet.merchantId],
  );
}

/**
 * The number of a merchant's transfers since a mark of a wallet, and up to which transfer they were
 * counted.
 */
export type Counted = { readonly mark: bigint; readonly upTo: bigint; readonly count: bigint };

/**
 * How many transfers the merchant of each wallet has since the wallet's last mark, at most `most`,
 * and the last of them. It continues from the earlier count, so that it reads only new transfers.
 * For one wallet, or for all.
 */
export async function countUnmarked(
  sql: Sql,
  most: number,
  counted: ReadonlyMap<bigint, Counted>,
  walletId?: bigint,
): Promise<(StatedWallet & Counted)[]> {
  const known = [...counted].filter(([id]) => walletId === undefined || id === walletId);
  return await sql.query(
    `select
       w.account_id as "accountId",
       w.merchant_id as "merchantId",
       w.environment,
       coalesce(m.transfer_id, 0) as mark,
       coalesce(n.last, k.up_to, m.transfer_id, 0) as "upTo",
       coalesce(k.count, 0) + n.count as count
     from wallet_owners w
     left join lateral (
       select transfer_id
       from statement_marks
       where wallet_id = w.account_id
       order by transfer_id desc
       limit 1
     ) m on true
     left join unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) as k(wallet_id, mark, up_to, count)
       on k.wallet_id = w.account_id
       and k.mark = coalesce(m.transfer_id, 0)
     cross join lateral (
       select count(*) as count, max(id) as last
       from (
         select id
         from transfers
         where merchant_id = w.merchant_id
         and id > coalesce(k.up_to, m.transfer_id, 0)
         order by id
         limit $1 - coalesce(k.count, 0)
       ) as next
     ) n
     where w.account_id = $2
     or $2 is null
     order by w.account_id`,
    [
      most,
      walletId ?? null,
      known.map(([id]) => id),
      known.map(([, { mark }]) => mark),
      known.map(([, { upTo }]) => upTo),
      known.map(([, { count }]) => count),
    ],
  );
}
