/**
 * Purchases as rows, written as the purchase path leaves them; and the search's filter in memory.
 */

import type { Environment } from '../../../src/core/environment.ts';
import type { Database } from '../../../src/db/database.ts';
import type { SearchFilter } from '../../../src/purchases/search/search-filter.ts';
import type { OutcomeReason } from '../../../src/purchases/state/outcome-reason.ts';
import type { PurchaseStatus } from '../../../src/purchases/state/purchase.ts';

export type SoldRow = {
  readonly id: string;
  readonly merchantId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly faceValue: number;
  readonly provider: string | null;
  readonly status: PurchaseStatus;
  readonly reason: OutcomeReason | null;
  readonly attemptReference: string | null;
  readonly providerReference: string | null;
  readonly token: string | null;
  /** The token came after the outcome. */
  readonly isLate: boolean;
  /** A process holds the claim of the pending one. */
  readonly owner: string | null;
  readonly createdAt: Date;
  readonly finalAt: Date | null;
};

/** An id of a time, as gateways mint them. */
export function idAt(at: Date, number: number): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const rest = number.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
}

export async function insertSold(database: Database, rows: readonly SoldRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 20_000) {
    await database.query(
      `with item as materialized (
         select *
         from jsonb_to_recordset($1::jsonb) as i(
           id uuid, "merchantId" integer, environment text, reference text, product text, network text, recipient text,
           "faceValue" bigint, provider text, status text, reason text, "attemptReference" text, "providerReference" text,
           token text, "isLate" boolean, owner uuid, "createdAt" timestamptz, "finalAt" timestamptz
         )
       ),
       sold as (
         insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
           wallet_id, mode, route, created_at)
         select "merchantId", environment, id, reference, product, network, recipient, recipient, "faceValue", "faceValue", 1,
           'async', coalesce(provider, 'sandbox'), "createdAt"
         from item
       ),
       attempted as (
         insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason, started_at)
         select "merchantId", id, 1, provider, "attemptReference", 'first of the route', "createdAt"
         from item
         where "attemptReference" is not null
       ),
       answered as (
         insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message, provider_id, at)
         select "merchantId", id, 1, 'purchase', 'accepted', '099', 'in hand', "providerReference", "createdAt"
         from item
         where "providerReference" is not null
       ),
       pending as (
         insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, owner, network, recipient,
           provider, created_at, attempts)
         select "merchantId", environment, id, 1, "faceValue", case when "attemptReference" is null then 'send' else 'query' end,
           case when owner is null then now() end, owner, network, recipient, coalesce(provider, 'none'), "createdAt",
           case when "attemptReference" is null then 0 else 1 end
         from item
         where status = 'pending'
       ),
       late as (
         insert into purchase_goods (merchant_id, purchase_id, goods)
         select "merchantId", id, jsonb_build_object('token', token)
         from item
         where token is not null
         and "isLate"
       )
       insert into purchase_outcomes (merchant_id, environment, purchase_id, status, reason, provider, goods, network, recipient, at)
       select "merchantId", environment, id, status, reason, provider,
         case when token is not null and not "isLate" then jsonb_build_object('token', token) end, network, recipient, "finalAt"
       from item
       where status <> 'pending'`,
      [JSON.stringify(rows.slice(from, from + 20_000))],
    );
  }
}

/** The filter in its plainest form. */
export function isWanted(row: SoldRow, filter: SearchFilter): boolean {
  const { amountMin, amountMax, from, to, reference } = filter;
  const is = <T>(wanted: T | undefined, value: T | null): boolean => wanted === undefined || wanted === value;
  return (
    is(filter.merchantId, row.merchantId) &&
    is(filter.environment, row.environment) &&
    (filter.products === undefined || filter.products.includes(row.product)) &&
    is(filter.network, row.network) &&
    is(filter.provider, row.provider) &&
    is(filter.status, row.status) &&
    is(filter.reason, row.reason) &&
    (filter.recipients === undefined || filter.recipients.includes(row.recipient)) &&
    is(filter.token, row.token) &&
    (amountMin === undefined || BigInt(row.faceValue) >= amountMin) &&
    (amountMax === undefined || BigInt(row.faceValue) <= amountMax) &&
    (from === undefined || row.createdAt >= from) &&
    (to === undefined || row.createdAt < to) &&
    (reference === undefined ||
      [row.reference, row.id, row.attemptReference, row.providerReference].includes(reference))
  );
}
