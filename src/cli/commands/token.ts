/** `oja token`: who may call the admin API. */
import { createTokenOperation } from '../../backoffice/access/operations/create-token.ts';
import { listTokensOperation, revokeTokenOperation } from '../../backoffice/access/operations/list-tokens.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const tokenCommands: readonly OperationCommand[] = [
  commandOf(createTokenOperation, {
    flags: { role: '--role <role...>' },
    examples: [
      'token create --role support --name ada',
      'token create --role finance admin --name ben --expires 30d',
    ],
    text: ({ token, name, roles, expires_at: end }) =>
      `${token}\n\nIt is ${name}'s (${roles.join(', ')}), until ${timeText(end)}, and is not shown again.`,
  }),
  commandOf(listTokensOperation, {
    examples: ['token list'],
  }),
  commandOf(revokeTokenOperation, {
    arguments: ['id'],
    examples: ['token revoke k3jf9a2c --yes'],
  }),
];
