/** `oja provider`: how providers do, and what is sent to them, with which credentials. */

import {
  pauseProviderOperation,
  resumeProviderOperation,
} from '../../catalog/routes/operations/pause-provider.ts';
import { showSuccessOperation } from '../../finance/reports/operations/show-success.ts';
import {
  restoreProviderCredentialsOperation,
  setProviderCredentialsOperation,
} from '../../operate/keys/operations/set-provider-credentials.ts';
import {
  listProvidersOperation,
  showProviderOperation,
} from '../../purchases/health/operations/list-providers.ts';
import { testProviderOperation } from '../../purchases/health/operations/test-provider.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readText } from '../read-file.ts';
import { readSettingLines } from '../read-setting-lines.ts';

export const providerCommands: readonly OperationCommand[] = [
  commandOf(listProvidersOperation, {
    examples: ['provider list', 'provider list --json'],
    columns: [
      'provider',
      'environment',
      'health',
      'five_minutes.success_percent',
      'hour.success_percent',
      'lane.calls',
      'lane.waiting',
      'breaker.state',
      'last_answer.what',
      'float.amount',
      'pending.to_send',
      'pending.to_ask',
    ],
  }),
  commandOf(showProviderOperation, {
    arguments: ['provider'],
    examples: ['provider show vtpass'],
  }),
  commandOf(showSuccessOperation, {
    examples: ['provider success', 'provider success --by route --json'],
    columns: [
      'provider',
      'environment',
      'product',
      'network',
      'hour.success_rate',
      'day.success_rate',
      'day.successes',
      'day.failures',
      'latency_p95_ms',
    ],
  }),
  commandOf(pauseProviderOperation, {
    arguments: ['provider'],
    examples: [
      'provider pause vtpass --reason "they are under maintenance until noon"',
      'provider pause vtpass --product airtime --network MTN --reason "MTN fails there"',
    ],
  }),
  commandOf(resumeProviderOperation, {
    arguments: ['provider'],
    examples: ['provider resume vtpass', 'provider resume vtpass --product airtime --network MTN'],
  }),
  commandOf(setProviderCredentialsOperation, {
    arguments: ['provider'],
    flags: { values: '--file <path>' },
    examples: [
      'provider set-credentials vtpass --file vtpass.env',
      'provider set-credentials vtpass --file -',
    ],
    // Never from the arguments: others on the machine see those.
    files: { values: readValues },
  }),
  commandOf(restoreProviderCredentialsOperation, {
    arguments: ['provider'],
    examples: ['provider restore-credentials vtpass', 'provider restore-credentials vtpass --force'],
  }),
  commandOf(testProviderOperation, {
    arguments: ['provider'],
    examples: ['provider test vtpass'],
    isWrong: ({ answered }) => !answered,
  }),
];

async function readValues(path: string): Promise<Record<string, string>> {
  const read = readSettingLines(await readText(path));
  if (typeof read === 'number') {
    throw new CommandError('file_malformed', `line ${read} must be NAME=value`);
  }
  return read;
}
