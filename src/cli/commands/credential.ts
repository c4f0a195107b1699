/** `oja credential`: the keys with which merchants call the API. */
import type { Static } from 'typebox';
import { issueCredentialOperation } from '../../merchants/operations/issue-credential.ts';
import { listCredentialsOperation } from '../../merchants/operations/list-credentials.ts';
import { revokeCredentialOperation } from '../../merchants/operations/revoke-credential.ts';
import { rotateCredentialOperation } from '../../merchants/operations/rotate-credential.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';

export const credentialCommands: readonly OperationCommand[] = [
  commandOf(issueCredentialOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag, ip: '--ip <cidr...>' },
    examples: [
      'credential issue SHOP --env test',
      'credential issue SHOP --env live --label "till 4" --ip 203.0.113.7 198.51.100.0/24 --rate 50 --expires-in 90d',
    ],
    text: issuedText,
  }),
  commandOf(listCredentialsOperation, {
    arguments: ['merchant'],
    examples: ['credential list SHOP'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'KEY', of: (row) => row.key },
          { title: 'ENV', of: (row) => row.environment },
          { title: 'STATE', of: (row) => row.state },
          { title: 'LABEL', of: (row) => row.label || '-' },
          { title: 'ADDRESSES', of: (row) => row.allowed_ips.join(' ') || 'any' },
          { title: 'RATE/S', of: (row) => optional(row.rate_limit_per_s, String), right: true },
          { title: 'ISSUED', of: (row) => timeText(row.created_at) },
          { title: 'EXPIRES', of: (row) => optional(row.expires_at, timeText) },
          { title: 'LAST USED', of: (row) => optional(row.last_used_at, timeText) },
        ],
        'No credentials.',
      ),
  }),
  commandOf(revokeCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential revoke oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --yes'],
    text: ({ key, changed }) => `${key} is ${changed ? 'now' : 'already'} revoked.`,
  }),
  commandOf(rotateCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential rotate oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --overlap 24h'],
    text: ({ replaces, ...issued }) =>
      `${issuedText(issued)}\n\n${replaces.key} works until ${timeText(replaces.expires_at)}.`,
  }),
];

function issuedText(issued: Static<(typeof issueCredentialOperation)['output']>): string {
  return [
    pairs([
      ['Key', issued.key],
      ['Secret', issued.secret],
      ['Environment', issued.environment],
      ['Addresses', issued.allowed_ips.join(' ') || 'any'],
      ['Expires', optional(issued.expires_at, timeText)],
    ]),
    '',
    'The secret is not shown again.',
  ].join('\n');
}
