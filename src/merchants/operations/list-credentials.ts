/** Lists the credentials of a merchant, those that are no longer valid too. */
import type { Asking } from '../../audit-log/acting.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, merchantField, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { credentialAnswer, credentialOutput } from '../credential-answer.ts';
import { listCredentials } from '../credential-store.ts';
import { findByCode } from '../require-merchant.ts';

export const listCredentialsOperation = defineOperation({
  name: 'credential.list',
  kind: 'question',
  summary: "list a merchant's credentials, those that are no longer valid too",
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /merchants/{merchant}/credentials',
  document: 'operators/cli.md',
  input: inputOf({ merchant: merchantField, ...pageFields }),
  output: pageOf(credentialOutput),
  run: async (
    { sql, clock }: Asking & { readonly clock: Clock },
    { merchant: code, limit = 50, cursor: after },
  ) => {
    const merchant = await findByCode(sql, code);
    const found = await listCredentials(sql, merchant.id, { after, limit: limit + 1 });
    const now = clock.now();
    return pageOfRead(
      found.map((row) => credentialAnswer(row, now)),
      limit,
      ({ key }) => key,
    );
  },
});
