/** Creates a personal access token. It is returned once; only a hash of its secret is stored. */
import { Type } from 'typebox';
import { type Clock, parseDuration } from '../../../core/clock.ts';
import { invariant, OperationError } from '../../../core/errors.ts';
import { admins, defineOperation, roles } from '../../../core/operation.ts';
import { durationField, inputOf, oneOf, text } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { hashToken, mintToken, tokenText } from '../access-token.ts';
import { insertAccessToken } from '../access-token-store.ts';
import { tokenAnswer, tokenOutput } from './list-tokens.ts';

const DAYS_MAX = 366;

export const createTokenOperation = defineOperation({
  name: 'token.create',
  kind: 'act',
  summary: 'create a personal access token; it is shown once',
  roles: admins,
  route: 'POST /tokens',
  document: 'operators/access.md',
  showsSecret: true,
  input: inputOf({
    role: Type.Array(oneOf(roles), {
      description: 'one or more of viewer, support, finance and admin',
      minItems: 1,
      uniqueItems: true,
    }),
    name: Type.Optional(text('the name of its owner, in 1 to 100 characters (default: your name)')),
    expires: Type.String({
      ...durationField,
      description: `a time such as 12h or 90d, ${DAYS_MAX}d at most`,
      default: '90d',
    }),
  }),
  output: Type.Object({ ...tokenOutput.properties, token: Type.String() }),
  run: async ({ tx, actor, clock }: Acting & { readonly clock: Clock }, input) => {
    const livesMs = parseDuration(input.expires);
    if (livesMs === undefined || livesMs > DAYS_MAX * 86_400_000) {
      throw new OperationError({ code: 'token_life_too_long', daysMax: DAYS_MAX });
    }
    const parts = mintToken();
    const name = (input.name ?? actor.name).trim();
    const token = await insertAccessToken(tx, {
      id: parts.id,
      name,
      roles: input.role,
      secretHash: hashToken(parts.secret),
      created_by: actor.principal,
      expires_at: new Date(clock.now().getTime() + livesMs),
    });
    invariant(token !== undefined, 'an insert returns its row');
    const answer = tokenAnswer(token, clock.now());
    await recordOperation(tx, {
      actor,
      action: 'token.create',
      subject: `token:${token.id}`,
      after: { name, roles: input.role, expires_at: answer.expires_at },
    });
    return { ...answer, token: tokenText(parts) };
  },
});
