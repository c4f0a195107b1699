/** Whose people an operation is about: the operator's or, with a merchant, that merchant's. */

import { OperationError } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import { findUsersByEmail, lockUser, type UserRow } from './user-store.ts';

/** The operator's people at the console, a merchant's at the portal. */
export const faces = ['console', 'portal'] as const;
export type Audience = (typeof faces)[number];

export type TenantScope = {
  readonly merchantId: number | null;
  readonly code: string | null;
  readonly face: Audience;
};

export const operatorScope: TenantScope = { merchantId: null, code: null, face: 'console' };

/** Throws OperationError `no_merchant`. */
export async function tenantScopeOf(sql: Sql, merchant: string | undefined): Promise<TenantScope> {
  if (merchant === undefined) return operatorScope;
  const { id, code } = await findByCode(sql, merchant);
  return { merchantId: id, code, face: 'portal' };
}

/** By the whole address. Throws OperationError `no_user`. */
export async function findMember(sql: Sql, { code, face }: TenantScope, email: string): Promise<UserRow> {
  const of = { email: email.trim(), ofMerchant: face === 'portal', merchant: code ?? undefined };
  const [user] = await findUsersByEmail(sql, of);
  if (user === undefined) throw new OperationError({ code: 'no_user', email: email.trim() });
  return user;
}

/** Likewise, and nobody else changes the user until the transaction ends. */
export async function lockMember(tx: Tx, crew: TenantScope, email: string): Promise<UserRow> {
  const { id } = await findMember(tx, crew, email);
  return (await lockUser(tx, id)) ?? (await findMember(tx, crew, email));
}
