/**
 * SQL of vouchers. Orders take them and give them back in `redeem_voucher` and
 * `resolve_side_effects` (migrations/functions).
 */

import type { Environment } from '../../core/environment.ts';
import { greatestId, leastId } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';

/** For callers without a merchant: searches by the key of each merchant. */
const allMerchants = 'array(select id from merchants)';

export type NewVoucher = { readonly id: string; readonly codeHash: Buffer; readonly hint: string };

export type VoucherOwner = { readonly merchantId: number; readonly environment: Environment };

export async function insertVouchers(
  tx: Tx,
  issue: VoucherOwner & { readonly issueId: string; readonly value: bigint },
  vouchers: readonly NewVoucher[],
): Promise<void> {
  await tx.query(
    `insert into vouchers (merchant_id, environment, issue_id, value, id, code_hash, hint)
     select $1::integer, $2::text, $3::uuid, $4::bigint, n.id, n.code_hash, n.hint
     from unnest($5::uuid[], $6::bytea[], $7::text[]) as n(id, code_hash, hint)`,
    [
      issue.merchantId,
      issue.environment,
      issue.issueId,
      issue.value,
      vouchers.map((voucher) => voucher.id),
      vouchers.map((voucher) => voucher.codeHash),
      vouchers.map((voucher) => voucher.hint),
    ],
  );
}

/**
 * Finds the merchant's voucher with that code in any state. An order that takes it checks whether
 * it can be redeemed.
 */
export async function findVoucherByCode(
  sql: Sql,
  { merchantId, environment }: VoucherOwner,
  codeHash: Buffer,
): Promise<{ readonly id: string; readonly hint: string; readonly value: bigint } | undefined> {
  const [row] = await sql.query<{ id: string; hint: string; value: bigint }>(
    {
      name: 'find_voucher_by_code',
      text: `
        select id, hint, value
        from vouchers
        where merchant_id = $1
        and environment = $2
        and code_hash = $3`,
    },
    [merchantId, environment, codeHash],
  );
  return row;
}

/**
 * Returns the ids of an issue's vouchers and the wallet that paid for them; empty for an unknown
 * issue.
 */
export async function listVouchersOfIssue(
  sql: Sql,
  issueId: string,
): Promise<{ readonly id: string; readonly merchant_id: number; readonly environment: Environment }[]> {
  return await sql.query(
    `select id, merchant_id, environment
     from vouchers
     where merchant_id = any(${allMerchants})
     and issue_id = $1
     order by id`,
    [issueId],
  );
}

/** open: can be redeemed. taken: by an order that is not final. */
export const voucherStates = ['open', 'taken', 'redeemed', 'cancelled'] as const;
type VoucherState = (typeof voucherStates)[number];

export type VoucherRow = {
  readonly id: string;
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly environment: Environment;
  readonly issue_id: string;
  readonly hint: string;
  readonly value: bigint;
  readonly issued_at: Date;
  readonly cancelled_at: Date | null;
  readonly state: VoucherState;
  /** The order that uses it. */
  readonly purchase_id: string | null;
  readonly reference: string | null;
  readonly charge: bigint | null;
};

const voucherColumns = `
  u.id, u.merchant_id, m.code as merchant_code, u.environment, u.issue_id, u.hint, u.value, u.issued_at, u.cancelled_at,
  case
    when u.cancelled_at is not null then 'cancelled'
    when o.status = 'success' then 'redeemed'
    when r.purchase_id is not null then 'taken'
    else 'open'
  end as state,
  r.purchase_id, v.reference, v.charge`;

const voucherTables = `
  vouchers u
  join merchants m on m.id = u.merchant_id
  left join voucher_redemptions r
    on r.merchant_id = u.merchant_id
    and r.voucher_id = u.id
    and r.returned_at is null
  left join purchases v
    on v.merchant_id = r.merchant_id
    and v.environment = u.environment
    and v.id = r.purchase_id
  left join purchase_outcomes o
    on o.merchant_id = r.merchant_id
    and o.purchase_id = r.purchase_id`;

type VoucherFilter = {
  readonly merchantId: number;
  readonly environment: Environment | undefined;
  readonly state: VoucherState | undefined;
  /** The list continues after the voucher with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
};

/**
 * Lists vouchers, newest first. A rare state requires reading many others: some at a time, each in
 * its own snapshot.
 */
export async function listVouchers(
  sql: Sql,
  filter: VoucherFilter,
  lookedAtOnce = 20_000,
): Promise<VoucherRow[]> {
  const found: VoucherRow[] = [];
  let before: string | undefined = filter.before ?? greatestId;
  while (before !== undefined && found.length < filter.limit) {
    const end: string | undefined = await findVoucherBefore(sql, filter.merchantId, before, lookedAtOnce);
    const limit = filter.limit - found.length;
    found.push(...(await listVouchersBetween(sql, { ...filter, limit }, before, end)));
    before = end;
  }
  return found;
}

async function findVoucherBefore(
  sql: Sql,
  merchantId: number,
  before: string,
  vouchers: number,
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `select id
     from vouchers
     where merchant_id = $1
     and id < $2::uuid
     order by id desc
     offset $3
     limit 1`,
    [merchantId, before, vouchers - 1],
  );
  return row?.id;
}

/** From `end` on, if there is one. */
async function listVouchersBetween(
  sql: Sql,
  { merchantId, environment, state, limit }: VoucherFilter,
  before: string,
  end: string | undefined,
): Promise<VoucherRow[]> {
  return await sql.query<VoucherRow>(
    `select *
     from (
       select ${voucherColumns}
       from ${voucherTables}
       where u.merchant_id = $1
       and u.id < $5::uuid
       and u.id >= $6::uuid
       and ($2::text is null or u.environment = $2)
     ) as listed
     where $3::text is null
     or state = $3
     order by id desc
     limit $4`,
    [merchantId, environment ?? null, state ?? null, limit, before, end ?? leastId],
  );
}

/** Without its merchant, the voucher is searched by the key of each merchant. */
export async function findVoucher(
  sql: Sql,
  id: string,
  merchantId?: number,
): Promise<VoucherRow | undefined> {
  const [row] = await sql.query<VoucherRow>(
    `select ${voucherColumns}
     from ${voucherTables}
     where u.merchant_id = ${merchantId === undefined ? `any(${allMerchants})` : '$2'}
     and u.id = $1`,
    [id, ...(merchantId === undefined ? [] : [merchantId])],
  );
  return row;
}

/** An order that redeemed it. */
export type RedemptionRow = {
  readonly purchase_id: string;
  readonly reference: string;
  readonly charge: bigint;
  readonly at: Date;
  readonly returned_at: Date | null;
};

/**
 * Oldest first, including orders that returned it. The merchant is compared as in
 * src/purchases/history/purchase-store.ts.
 */
export async function listRedemptions(
  sql: Sql,
  voucher: Pick<VoucherRow, 'merchant_id' | 'environment' | 'id'>,
): Promise<RedemptionRow[]> {
  return await sql.query<RedemptionRow>(
    `select r.purchase_id, v.reference, v.charge, r.at, r.returned_at
     from voucher_redemptions r
     join purchases v
       on v.merchant_id = r.merchant_id
       and v.environment = (select $3::text)
       and v.id = r.purchase_id
     where r.merchant_id = (select $1::integer)
     and r.voucher_id = $2
     order by r.at`,
    [voucher.merchant_id, voucher.id, voucher.environment],
  );
}

/** Call it under the lock of the merchant's wallet. */
export async function markCancelled(tx: Tx, voucher: VoucherRow): Promise<void> {
  await tx.query(
    `update vouchers
     set cancelled_at = now()
     where merchant_id = $1
     and id = $2`,
    [voucher.merchant_id, voucher.id],
  );
}

/** The voucher that paid an order instead of the wallet. */
export type PurchaseVoucherRow = {
  readonly id: string;
  readonly hint: string;
  readonly value: bigint;
  readonly returned_at: Date | null;
};

export async function findVoucherOfPurchase(
  sql: Sql,
  purchase: { readonly merchant_id: number; readonly id: string },
): Promise<PurchaseVoucherRow | undefined> {
  const [row] = await sql.query<PurchaseVoucherRow>(
    `select u.id, u.hint, u.value, r.returned_at
     from voucher_redemptions r
     join vouchers u
       on u.merchant_id = r.merchant_id
       and u.id = r.voucher_id
     where r.merchant_id = $1
     and r.purchase_id = $2`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}
