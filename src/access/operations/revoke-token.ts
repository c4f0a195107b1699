/** Revokes a personal access token: the next call with it is refused, on every process. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { OperationError } from '../../kernel/errors.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf, text } from '../../kernel/operation-fields.ts';
import { lockAccessToken, updateTokenRevoked } from '../access-token-store.ts';

export const revokeTokenOperation = defineOperation({
  name: 'token.revoke',
  kind: 'act',
  summary: 'revoke a personal access token, at once',
  roles: admins,
  route: 'POST /tokens/{id}/revoke',
  document: 'operators/access.md',
  confirm: 'Revoke the token? Whoever uses it is refused from now on.',
  input: inputOf({ id: text('the id of a token, as the list of tokens has it') }),
  output: Type.Object({ id: Type.String(), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { id }) => {
    const token = await lockAccessToken(tx, id);
    if (token === undefined) throw new OperationError({ code: 'no_token', token: id });
    if (token.revoked_at !== null) return { id, changed: false };
    await updateTokenRevoked(tx, id);
    await recordOperation(tx, {
      actor,
      action: 'token.revoke',
      subject: `token:${id}`,
      before: { name: token.name, revoked: false },
      after: { revoked: true },
    });
    return { id, changed: true };
  },
});
