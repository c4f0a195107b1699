/** A credential in the output of operations. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../core/answer.ts';
import { OperationError } from '../core/errors.ts';
import { nullable } from '../core/nullable.ts';
import {
  environmentField,
  merchantField,
  nullableAmount,
  nullableTime,
  oneOf,
  timeOutput,
} from '../core/operation-fields.ts';
import type { Tx } from '../db/database.ts';
import { credentialField } from './credential-secret.ts';
import type { CredentialRow } from './credential-store.ts';
import type { IssuedCredential } from './operations/issue-credential.ts';
import { requireOwnCredential } from './require-merchant.ts';

export const credentialOutput = Type.Object({
  key: Type.String(),
  state: oneOf(['active', 'unconfirmed', 'expired', 'revoked']),
  environment: environmentField,
  label: Type.String(),
  /** Empty: any address. */
  allowed_ips: Type.Array(Type.String()),
  /** 0: no limit. Null: the gateway's own. */
  rate_limit_per_s: nullable(Type.Integer()),
  /** The spend caps per purchase and per day in Lagos; null: no cap. */
  per_purchase: nullableAmount,
  per_day: nullableAmount,
  mcp_purchases: oneOf(['allowed', 'none']),
  created_at: timeOutput,
  expires_at: nullableTime,
  revoked_at: nullableTime,
  last_used_at: nullableTime,
});

/** A new credential with its secret, which is returned once. */
export const issuedOutput = Type.Object({ ...credentialOutput.properties, secret: Type.String() });

export function credentialAnswer(row: CredentialRow, now: Date): Static<typeof credentialOutput> {
  return answerOf(credentialOutput, {
    ...row,
    key: row.key_id,
    state: stateOf(row, now),
    per_purchase: row.purchase_cap,
    per_day: row.daily_cap,
    mcp_purchases: row.mcp_purchases ? 'allowed' : 'none',
  });
}

export function issuedAnswer(
  { credential, secret }: IssuedCredential,
  now: Date,
): Static<typeof issuedOutput> {
  return { ...credentialAnswer(credential, now), secret };
}

function stateOf(credential: CredentialRow, now: Date): 'active' | 'unconfirmed' | 'expired' | 'revoked' {
  if (credential.revoked_at !== null) return 'revoked';
  if (credential.expires_at !== null && credential.expires_at <= now) return 'expired';
  return credential.unconfirmed_at === null ? 'active' : 'unconfirmed';
}

export const triedFields = {
  merchant: merchantField,
  credential: credentialField,
  secret: Type.String({
    description: 'the secret of that credential',
    pattern: '^[\\x21-\\x2b\\x2d-\\x7e]{1,200}$',
  }),
};

const messageFields = { headers: Type.Record(Type.String(), Type.String()), body: Type.String() };

export const triedOutput = Type.Object({
  /** The secret is not in it. */
  request: Type.Object({ method: Type.String(), path: Type.String(), ...messageFields }),
  answer: Type.Object({ status: Type.Integer(), ...messageFields, took_ms: Type.Integer() }),
});

export type Tried = Static<typeof triedOutput>;

/**
 * Throws OperationError: `no_merchant`; `no_credential`, also for a credential of another merchant;
 * `credential_live`.
 */
export async function requireTestCredential(tx: Tx, credential: string, merchant: string): Promise<void> {
  await requireOwnCredential(tx, credential, merchant);
  if (!credential.startsWith('oja_test_')) {
    throw new OperationError({ code: 'credential_live', keyId: credential });
  }
}
