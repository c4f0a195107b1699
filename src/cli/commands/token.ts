/** `oja token`: who may call the admin API. */
import { createTokenOperation } from '../../access/operations/create-token.ts';
import { listTokensOperation, revokeTokenOperation } from '../../access/operations/list-tokens.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const tokenCommands: readonly OperationCommand[] = [
  commandOf(createTokenOperation, {
    flags: { name: '--name <name>', role: '--role <role...>' },
    examples: [
      'token create --role support --name ada',
      'token create --role finance admin --name ben --expires 30d',
    ],
    text: ({ token, name, roles, expires_at: end }) =>
      `${token}\n\nIt is ${name}'s (${roles.join(', ')}), until ${timeText(end)}, and is not shown again.`,
  }),
  commandOf(listTokensOperation, {
    examples: ['token list'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ID', of: (token) => token.id },
          { title: 'NAME', of: (token) => token.name },
          { title: 'ROLES', of: (token) => token.roles.join(' ') },
          { title: 'STATE', of: (token) => token.state },
          { title: 'EXPIRES', of: (token) => timeText(token.expires_at) },
          {
            title: 'LAST USED',
            of: (token) => (token.last_used_at === null ? '-' : timeText(token.last_used_at)),
          },
          { title: 'MADE BY', of: (token) => token.created_by },
        ],
        'No tokens.',
      ),
  }),
  commandOf(revokeTokenOperation, {
    arguments: ['id'],
    examples: ['token revoke k3jf9a2c --yes'],
    text: ({ id, changed }) => `${id} is ${changed ? 'now' : 'already'} revoked.`,
  }),
];
