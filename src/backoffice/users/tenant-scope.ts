/** The tenant of users: the operator, whose users use the console, or a merchant. */

import { OperationError } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import { findUsersByEmail, lockUser, type UserRow } from './user-store.ts';

/** The applications: the console of the operator, and the portal of merchants. */
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

/** Finds a user by the whole e-mail address. Throws OperationError `no_user`. */
export async function findMember(sql: Sql, { code, face }: TenantScope, email: string): Promise<UserRow> {
  const of = { email: email.trim(), ofMerchant: face === 'portal', merchant: code ?? undefined };
  const [user] = await findUsersByEmail(sql, of);
  if (user === undefined) throw new OperationError({ code: 'no_user', email: email.trim() });
  return user;
}

/** Finds and locks a user until the transaction ends. Throws OperationError `no_user`. */
export async function lockMember(tx: Tx, scope: TenantScope, email: string): Promise<UserRow> {
  const { id } = await findMember(tx, scope, email);
  return (await lockUser(tx, id)) ?? (await findMember(tx, scope, email));
}
