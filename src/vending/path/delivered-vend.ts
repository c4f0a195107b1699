/** A final success as it is asked about further: for its goods, or whether it still stands. */
import type { Environment } from '../../kernel/environment.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';

/** A row of `read_late_goods` or `read_second_looks`. */
export type DeliveredRow = {
  merchant_id: number;
  environment: Environment;
  vend_id: string;
  wallet_id: bigint;
  charge: bigint;
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

/** `queries` are those before this one. */
export function toDeliveredVend(
  row: DeliveredRow,
  { queries, takenAtMs }: { readonly queries: number; readonly takenAtMs: number },
): VendInHand {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    vendId: row.vend_id,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    mode: 'async',
    route: row.route.split(','),
    refused: [],
    details: row.details ?? undefined,
    attempts: row.attempt,
    queries,
    notFound: 0,
    flagged: true,
    evidence: 'delivered',
    final: true,
    ageMs: Number(row.age_ms),
    attempt: {
      provider: row.attempt_provider,
      reference: row.attempt_reference,
      ageMs: Number(row.attempt_age_ms),
    },
    takenAtMs,
  };
}
