/** Lists personal access tokens, newest first. */
import type { Asking } from '../../audit-log/acting.ts';
import type { Clock } from '../../kernel/clock.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { listAccessTokens } from '../access-token-store.ts';
import { tokenAnswer, tokenOutput } from '../token-answer.ts';

export const listTokensOperation = defineOperation({
  name: 'token.list',
  kind: 'question',
  summary: 'list personal access tokens, newest first',
  roles: admins,
  route: 'GET /tokens',
  document: 'operators/access.md',
  input: inputOf(pageFields),
  output: pageOf(tokenOutput),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }, { limit = 50, cursor }) => {
    const found = await listAccessTokens(sql, { after: cursor, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      data: page.map((token) => tokenAnswer(token, clock.now())),
      cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});
