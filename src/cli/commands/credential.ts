/** `oja credential`: the keys with which merchants call the API. */
import type { Static } from 'typebox';
import {
  confirmCredentialsOperation,
  listUnconfirmedOperation,
} from '../../merchants/operations/confirm-credentials.ts';
import { issueCredentialOperation } from '../../merchants/operations/issue-credential.ts';
import {
  listCredentialsOperation,
  revokeCredentialOperation,
} from '../../merchants/operations/revoke-credential.ts';
import { rotateCredentialOperation } from '../../merchants/operations/rotate-credential.ts';
import { setCapsOperation } from '../../merchants/operations/set-caps.ts';
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
          { title: 'PER PURCHASE', of: (row) => optional(row.per_purchase, String), right: true },
          { title: 'PER DAY', of: (row) => optional(row.per_day, String), right: true },
          { title: 'MCP', of: (row) => (row.mcp_purchases === 'allowed' ? 'buys' : 'reads') },
          { title: 'ISSUED', of: (row) => timeText(row.created_at) },
          { title: 'EXPIRES', of: (row) => optional(row.expires_at, timeText) },
          { title: 'LAST USED', of: (row) => optional(row.last_used_at, timeText) },
        ],
        'No credentials.',
      ),
  }),
  commandOf(listUnconfirmedOperation, {
    command: 'credential list-unconfirmed',
    examples: ['credential list-unconfirmed'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'KEY', of: (row) => row.key },
          { title: 'MERCHANT', of: (row) => row.merchant },
          { title: 'ENV', of: (row) => row.environment },
          { title: 'LABEL', of: (row) => row.label || '-' },
          { title: 'ISSUED', of: (row) => timeText(row.created_at) },
          { title: 'LAST USED', of: (row) => optional(row.last_used_at, timeText) },
        ],
        'No key waits to be confirmed.',
      ),
  }),
  commandOf(confirmCredentialsOperation, {
    examples: [
      'credential confirm --credential oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA',
      'credential confirm --all --yes',
    ],
    text: ({ confirmed }) => `Confirmed: ${confirmed}.`,
  }),
  commandOf(revokeCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential revoke oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --yes'],
    text: ({ key, changed }) => `${key} is ${changed ? 'now' : 'already'} revoked.`,
  }),
  commandOf(setCapsOperation, {
    command: 'credential set-caps',
    arguments: ['credential'],
    examples: [
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase 5000 --per-day 20000',
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --mcp-purchases allowed',
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase none --per-day none --mcp-purchases none',
    ],
    text: ({ key, changed, ...caps }) =>
      `${key} ${changed ? 'now' : 'already'} has ${capsText(caps)}, and ${mcpText(caps)}.`,
  }),
  commandOf(rotateCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential rotate oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --overlap 24h'],
    text: ({ replaces, ...issued }) =>
      `${issuedText(issued)}\n\n${replaces.key} works until ${timeText(replaces.expires_at)}.`,
  }),
];

type Caps = Pick<
  Static<(typeof issueCredentialOperation)['output']>,
  'per_purchase' | 'per_day' | 'mcp_purchases'
>;

function capsText({ per_purchase: perPurchase, per_day: perDay }: Caps): string {
  const caps = [
    perPurchase === null ? [] : [`${perPurchase} a purchase`],
    perDay === null ? [] : [`${perDay} a day`],
  ].flat();
  return caps.length === 0 ? 'no caps' : `caps of ${caps.join(' and ')}`;
}

function mcpText({ mcp_purchases: purchases }: Caps): string {
  return purchases === 'allowed' ? 'purchases over MCP' : 'no purchases over MCP';
}

function issuedText(issued: Static<(typeof issueCredentialOperation)['output']>): string {
  return [
    pairs([
      ['Key', issued.key],
      ['Secret', issued.secret],
      ['Environment', issued.environment],
      ['Addresses', issued.allowed_ips.join(' ') || 'any'],
      ['Expires', optional(issued.expires_at, timeText)],
      ['Caps', capsText(issued)],
      ['MCP', issued.mcp_purchases === 'allowed' ? 'purchases' : 'no purchases'],
    ]),
    '',
    'The secret is not shown again.',
  ].join('\n');
}
