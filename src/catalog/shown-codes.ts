/**
 * Plan codes by provider, as people read and write them: under the names of the accounts, where the
 * catalog has their ids.
 */
import { renameKeys } from '../core/account-names.ts';
import type { CatalogRecord } from './catalog-item.ts';

/** Returns the current name of an account, or the id that a name leads to. */
export type NameAccount = (name: string) => string;

/** The accounts of a running operation. Absent: names are ids. */
export type NamingAccounts = {
  readonly accounts?: { readonly idOf: NameAccount; readonly nameOf: NameAccount };
};

/** Returns the record with its codes under the names that `nameAccount` returns. */
export function renameCodes(record: CatalogRecord, nameAccount: NameAccount | undefined): CatalogRecord {
  const { provider_codes: codes } = record;
  if (nameAccount === undefined || !isObject(codes)) return record;
  return { ...record, provider_codes: renameKeys(codes, nameAccount) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
