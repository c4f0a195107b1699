/** The SQL of accept: one call of `accept_vends` (migrations/functions) for a batch. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../environment.ts';
import type { VendMode, VendStatus } from './vend.ts';

/** A judged and priced vend, ready to be stored. */
export type AcceptItem = {
  readonly id: string;
  readonly merchantId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | undefined;
  readonly msisdn: string;
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly walletId: bigint;
  readonly mode: VendMode;
  readonly route: readonly string[];
  readonly details: VendDetails | undefined;
  readonly credentialId: string;
  readonly createdAt: Date;
  /** The first attempt, stored with the vend when the request itself will make the call. */
  readonly attempt:
    | { readonly provider: string; readonly reference: string; readonly reason: string }
    | undefined;
};

/** What a provider call needs beyond the vend's columns. */
export type VendDetails = {
  readonly planCodes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly phone?: string;
};

export type AcceptVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'insufficient' }
  /** The key is taken: by the vend `firstId`, which stands at `status`. */
  | { readonly kind: 'duplicate'; readonly firstId: string; readonly status: VendStatus }
  | { readonly kind: 'no_wallet' };

type VerdictRow = { verdict: AcceptVerdict['kind']; vend_id: string; status: VendStatus };

const acceptVendsStatement = {
  name: 'accept_vends',
  text: 'select verdict, vend_id, status from accept_vends($1, $2, $3) order by ordinal',
};

export async function acceptVends(
  sql: Sql,
  items: readonly AcceptItem[],
  owner: string,
): Promise<AcceptVerdict[]> {
  const rows = await sql.query<VerdictRow>(acceptVendsStatement, [
    JSON.stringify(items.map(toWire)),
    [...new Set(items.map((item) => item.walletId))],
    owner,
  ]);
  return rows.map(toVerdict);
}

function toWire(item: AcceptItem, index: number): Record<string, unknown> {
  return {
    ordinal: index + 1,
    merchant_id: item.merchantId,
    environment: item.environment,
    id: item.id,
    reference: item.reference,
    product: item.product,
    network: item.network,
    plan_code: item.planCode,
    msisdn: item.msisdn,
    recipient: item.recipient,
    face_value: String(item.faceValue),
    charge: String(item.charge),
    wallet_id: String(item.walletId),
    mode: item.mode,
    route: item.route.join(','),
    details: item.details,
    credential_id: item.credentialId,
    created_at: item.createdAt,
    provider: item.attempt?.provider,
    provider_reference: item.attempt?.reference,
    reason: item.attempt?.reason,
  };
}

function toVerdict(row: VerdictRow): AcceptVerdict {
  return row.verdict === 'duplicate'
    ? { kind: 'duplicate', firstId: row.vend_id, status: row.status }
    : { kind: row.verdict };
}
