/** Stores the sealed registrations of merchants, and the currencies that they may register for. */

import type { Environment } from '../core/environment.ts';
import type { Currency } from '../core/money.ts';
import type { Sql, Tx } from '../db/database.ts';

type Owner = { readonly merchantId: number; readonly environment: Environment };

export async function isFundingEnabled(
  sql: Sql,
  { merchantId, environment }: Owner,
  currency: Currency,
): Promise<boolean> {
  const rows = await sql.query(
    `select 1
     from funding_currencies
     where merchant_id = $1
     and environment = $2
     and currency = $3`,
    [merchantId, environment, currency],
  );
  return rows.length > 0;
}

export async function listFundingCurrencies(
  sql: Sql,
  merchantId: number,
): Promise<{ readonly environment: Environment; readonly currency: Currency }[]> {
  return await sql.query(
    `select environment, currency
     from funding_currencies
     where merchant_id = $1
     order by environment, currency`,
    [merchantId],
  );
}

/** Enables a currency. Returns false when it is enabled already. */
export async function insertFundingCurrency(
  tx: Tx,
  { merchantId, environment }: Owner,
  currency: Currency,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into funding_currencies (merchant_id, environment, currency)
     values ($1, $2, $3)
     on conflict do nothing
     returning 1`,
    [merchantId, environment, currency],
  );
  return rows.length > 0;
}

/** Disables a currency. Returns false when it is not enabled. */
export async function deleteFundingCurrency(
  tx: Tx,
  { merchantId, environment }: Owner,
  currency: Currency,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from funding_currencies
     where merchant_id = $1
     and environment = $2
     and currency = $3
     returning 1`,
    [merchantId, environment, currency],
  );
  return rows.length > 0;
}

export async function selectIdentity(
  sql: Sql,
  { merchantId, environment }: Owner,
): Promise<{ readonly sealed: string; readonly bvn_ending: string | null } | undefined> {
  const [row] = await sql.query<{ sealed: string; bvn_ending: string | null }>(
    `select sealed, bvn_ending
     from funding_identities
     where merchant_id = $1
     and environment = $2`,
    [merchantId, environment],
  );
  return row;
}

export async function upsertIdentity(
  tx: Tx,
  { merchantId, environment }: Owner,
  identity: { readonly sealed: string; readonly bvnEnding: string | undefined },
): Promise<void> {
  await tx.query(
    `insert into funding_identities (merchant_id, environment, sealed, bvn_ending)
     values ($1, $2, $3, $4)
     on conflict (merchant_id, environment) do update
     set sealed = excluded.sealed, bvn_ending = excluded.bvn_ending, updated_at = now()`,
    [merchantId, environment, identity.sealed, identity.bvnEnding ?? null],
  );
}

export async function hasDocument(sql: Sql, { merchantId, environment }: Owner): Promise<boolean> {
  const rows = await sql.query(
    `select 1
     from funding_documents
     where merchant_id = $1
     and environment = $2`,
    [merchantId, environment],
  );
  return rows.length > 0;
}

/** Adds a document, unless there is one. */
export async function insertDocument(
  sql: Sql,
  { merchantId, environment }: Owner,
  document: { readonly mediaType: string; readonly keyId: string; readonly sealed: string },
): Promise<void> {
  await sql.query(
    `insert into funding_documents (merchant_id, environment, media_type, key_id, sealed)
     values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, environment) do nothing`,
    [merchantId, environment, document.mediaType, document.keyId, document.sealed],
  );
}

/** Adds a document or replaces the current one. */
export async function upsertDocument(
  tx: Tx,
  { merchantId, environment }: Owner,
  document: { readonly mediaType: string; readonly keyId: string; readonly sealed: string },
): Promise<void> {
  await tx.query(
    `insert into funding_documents (merchant_id, environment, media_type, key_id, sealed)
     values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, environment) do update
     set media_type = excluded.media_type, key_id = excluded.key_id,
         sealed = excluded.sealed, uploaded_at = now()`,
    [merchantId, environment, document.mediaType, document.keyId, document.sealed],
  );
}

/** Reads the media type and the time of the document. */
export async function describeDocument(
  sql: Sql,
  { merchantId, environment }: Owner,
): Promise<{ readonly media_type: string; readonly uploaded_at: Date } | undefined> {
  const [row] = await sql.query<{ media_type: string; uploaded_at: Date }>(
    `select media_type, uploaded_at
     from funding_documents
     where merchant_id = $1
     and environment = $2`,
    [merchantId, environment],
  );
  return row;
}

export async function selectDocument(
  sql: Sql,
  { merchantId, environment }: Owner,
): Promise<{ readonly media_type: string; readonly sealed: string } | undefined> {
  const [row] = await sql.query<{ media_type: string; sealed: string }>(
    `select media_type, sealed
     from funding_documents
     where merchant_id = $1
     and environment = $2`,
    [merchantId, environment],
  );
  return row;
}

/** Deletes documents of this age, of one merchant if it is given. Returns their owners. */
export async function deleteDocuments(
  tx: Tx,
  wanted: { readonly days: number; readonly merchantId: number | undefined },
): Promise<{ readonly merchant_code: string; readonly environment: Environment }[]> {
  return await tx.query(
    `delete from funding_documents d
     using merchants m
     where m.id = d.merchant_id
     and d.uploaded_at <= now() - $1 * interval '1 day'
     and ($2::integer is null or d.merchant_id = $2)
     returning m.code as merchant_code, d.environment`,
    [wanted.days, wanted.merchantId ?? null],
  );
}
