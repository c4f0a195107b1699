/** The SQL of late goods: final vends whose goods are still asked for. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../environment.ts';
import type { VendDetails } from './accept-store.ts';
import type { VendInHand } from './vend-in-hand.ts';

type LateGoodsRow = {
  merchant_id: number;
  environment: Environment;
  vend_id: string;
  wallet_id: bigint;
  charge: bigint;
  queries: number;
  age_ms: bigint;
  product: string;
  network: string;
  recipient: string;
  face_value: bigint;
  route: string;
  details: VendDetails | null;
  attempt: number;
  attempt_provider: string;
  attempt_reference: string;
  attempt_age_ms: bigint;
};

const claimStatement = { name: 'claim_late_goods', text: 'select * from claim_late_goods($1, $2)' };

/** Takes what is due, for `leaseMs`. */
export async function claimLateGoods(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number; readonly takenAtMs: number },
): Promise<VendInHand[]> {
  const rows = await sql.query<LateGoodsRow>(claimStatement, [options.limit, options.leaseMs]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    environment: row.environment,
    vendId: row.vend_id,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    route: row.route.split(','),
    details: row.details ?? undefined,
    attempts: row.attempt,
    queries: row.queries,
    notFound: 0,
    flagged: true,
    final: true,
    ageMs: Number(row.age_ms),
    attempt: {
      provider: row.attempt_provider,
      reference: row.attempt_reference,
      ageMs: Number(row.attempt_age_ms),
    },
    takenAtMs: options.takenAtMs,
  }));
}
