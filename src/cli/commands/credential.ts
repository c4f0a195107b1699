/** `oja credential`: the keys with which merchants call the API. */
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
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const credentialCommands: readonly OperationCommand[] = [
  commandOf(issueCredentialOperation, {
    arguments: ['merchant'],
    flags: { ip: '--ip <cidr...>' },
    examples: [
      'credential issue SHOP --env test',
      'credential issue SHOP --env live --label "till 4" --ip 203.0.113.7 198.51.100.0/24 --rate 50 --expires-in 90d',
    ],
  }),
  commandOf(listCredentialsOperation, {
    arguments: ['merchant'],
    examples: ['credential list SHOP'],
  }),
  commandOf(listUnconfirmedOperation, {
    command: 'credential list-unconfirmed',
    examples: ['credential list-unconfirmed'],
  }),
  commandOf(confirmCredentialsOperation, {
    examples: [
      'credential confirm --credential oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA',
      'credential confirm --all --yes',
    ],
  }),
  commandOf(revokeCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential revoke oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --yes'],
  }),
  commandOf(setCapsOperation, {
    command: 'credential set-caps',
    arguments: ['credential'],
    examples: [
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase 5000 --per-day 20000',
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --mcp-purchases allowed',
      'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase none --per-day none --mcp-purchases none',
    ],
  }),
  commandOf(rotateCredentialOperation, {
    arguments: ['credential'],
    examples: ['credential rotate oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --overlap 24h'],
  }),
];
