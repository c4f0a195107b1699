/**
 * Keys that must be confirmed after a restore: a key that was revoked in the lost time is valid
 * again in the copy, and only people know which ones. Until it is confirmed, each key is refused.
 */

import { Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation, roles } from '../../core/operation.ts';
import {
  environmentField,
  inputOf,
  nullableTime,
  pageFields,
  pageOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { credentialField } from '../credential-secret.ts';
import { listUnconfirmed, updateConfirmed } from '../unconfirmed-store.ts';

const unconfirmedOutput = Type.Object({
  key: Type.String(),
  merchant: Type.String(),
  environment: environmentField,
  label: Type.String(),
  created_at: timeOutput,
  last_used_at: nullableTime,
});

export const listUnconfirmedOperation = defineOperation({
  name: 'credential.list_unconfirmed',
  kind: 'question',
  summary: 'list the credentials that are refused after a restore until they are confirmed',
  roles,
  route: 'GET /unconfirmed-credentials',
  document: 'operators/restore.md',
  input: inputOf(pageFields),
  output: pageOf(unconfirmedOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const found = await listUnconfirmed(sql, { after: cursor, limit: limit + 1 });
    return pageOfRead(
      found,
      limit,
      (row) => row.key_id,
      (row) => answerOf(unconfirmedOutput, { ...row, key: row.key_id, merchant: row.merchant_code }),
    );
  },
});

export const confirmCredentialsOperation = defineOperation({
  name: 'credential.confirm',
  kind: 'act',
  summary: 'confirm one credential or all after a restore; a confirmed credential works again immediately',
  roles: admins,
  route: 'POST /unconfirmed-credentials/confirm',
  document: 'operators/restore.md',
  confirm: ({ credential }) =>
    credential === undefined ? 'Every waiting key will work again. Were the leaked ones revoked?' : undefined,
  input: inputOf({
    credential: Type.Optional(credentialField),
    all: Type.Optional(Type.Boolean({ description: 'true to confirm every waiting key' })),
  }),
  output: Type.Object({ confirmed: Type.Integer() }),
  run: async ({ tx, actor }: Acting, { credential, all = false }) => {
    if ((credential === undefined) !== all) {
      const wanted = 'a key, or all: true';
      throw new OperationError({
        code: 'input_malformed',
        errors: [{ field: 'credential', kind: 'wrong', wanted }],
      });
    }
    const confirmed = await updateConfirmed(tx, credential);
    if (credential !== undefined && confirmed.length === 0) {
      throw new OperationError({ code: 'no_credential', keyId: credential });
    }
    for (const key of confirmed) {
      await recordOperation(tx, { actor, action: 'credential.confirm', subject: `credential:${key}` });
    }
    await announceChange(tx, 'credentials');
    return { confirmed: confirmed.length };
  },
});
