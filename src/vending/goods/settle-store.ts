/** The SQL of settling a vend by what a person learnt: where it stands, under its wallet's lock. */
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { VendDetails } from '../vend/vend-details.ts';

export type VendKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
};

export type VendToSettle = {
  readonly wallet_id: bigint;
  readonly product: string;
  readonly network: string;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly details: VendDetails | null;
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** Of a pending vend. */
  readonly step: 'send' | 'query' | null;
  /** It is pending, and a person was told of it. */
  readonly flagged: boolean;
  /** A success whose goods are asked for, or were given up. */
  readonly owes: boolean;
  /** The last attempt; null where none was made. */
  readonly attempt: number | null;
  readonly provider: string | null;
};

/**
 * Locks the wallet before it reads, as every batch does: nobody resolves the vend until this
 * transaction ends.
 */
export async function lockVendToSettle(
  tx: Tx,
  { merchantId, environment, vendId }: VendKey,
): Promise<VendToSettle | undefined> {
  await tx.query(
    `select 1
     from wallet_owners
     where account_id = (
       select wallet_id
       from vends
       where merchant_id = $1
       and environment = $2
       and id = $3
     )
     for update`,
    [merchantId, environment, vendId],
  );
  const [row] = await tx.query<VendToSettle>(
    `select
       v.wallet_id,
       v.product,
       v.network,
       v.face_value,
       v.charge,
       v.details,
       o.status,
       p.step,
       p.flagged_at is not null as flagged,
       l.vend_id is not null as owes,
       a.number as attempt,
       a.provider
     from vends v
     left join vend_outcomes o
       on o.merchant_id = v.merchant_id
       and o.vend_id = v.id
     left join pending_vends p
       on p.merchant_id = v.merchant_id
       and p.vend_id = v.id
     left join late_goods l
       on l.merchant_id = v.merchant_id
       and l.vend_id = v.id
     left join lateral (
       select number, provider
       from attempts
       where merchant_id = v.merchant_id
       and vend_id = v.id
       order by number desc
       limit 1
     ) a on true
     where v.merchant_id = $1
     and v.environment = $2
     and v.id = $3`,
    [merchantId, environment, vendId],
  );
  return row;
}
