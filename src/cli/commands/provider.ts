/** `oja provider`: how providers do, and what is sent to them, with which credentials. */
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import {
  restoreProviderCredentialsOperation,
  setProviderCredentialsOperation,
} from '../../keys/operations/set-provider-credentials.ts';
import { showSuccessOperation } from '../../reports/operations/show-success.ts';
import {
  pauseProviderOperation,
  placeText,
  resumeProviderOperation,
} from '../../routing/operations/pause-provider.ts';
import {
  listProvidersOperation,
  showProviderOperation,
} from '../../vending/health/operations/list-providers.ts';
import { testProviderOperation } from '../../vending/health/operations/test-provider.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';
import { providersTable, providerText, successText } from '../provider-text.ts';
import { readSettingLines } from '../read-setting-lines.ts';

export const providerCommands: readonly OperationCommand[] = [
  commandOf(listProvidersOperation, {
    examples: ['provider list', 'provider list --json'],
    text: ({ data }) => providersTable(data),
  }),
  commandOf(showProviderOperation, {
    arguments: ['provider'],
    examples: ['provider show vtpass'],
    text: providerText,
  }),
  commandOf(showSuccessOperation, {
    examples: ['provider success', 'provider success --by route --json'],
    text: successText,
  }),
  commandOf(pauseProviderOperation, {
    arguments: ['provider'],
    examples: [
      'provider pause vtpass --reason "they are under maintenance until noon"',
      'provider pause vtpass --product airtime --network MTN --reason "MTN fails there"',
    ],
    text: ({ provider, changed, ...place }) =>
      changed
        ? `No new purchases of ${placeText(place)} are sent to ${provider}.`
        : `${provider} is paused for ${placeText(place)} already.`,
  }),
  commandOf(resumeProviderOperation, {
    arguments: ['provider'],
    examples: ['provider resume vtpass', 'provider resume vtpass --product airtime --network MTN'],
    text: ({ provider, ...place }) => `Purchases of ${placeText(place)} are sent to ${provider} again.`,
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
    text: storedText,
  }),
  commandOf(restoreProviderCredentialsOperation, {
    arguments: ['provider'],
    examples: ['provider restore-credentials vtpass', 'provider restore-credentials vtpass --force'],
    text: storedText,
  }),
  commandOf(testProviderOperation, {
    arguments: ['provider'],
    examples: ['provider test vtpass'],
    text: ({ provider, in_use: inUse, float }) =>
      float === null
        ? `${provider} ${inUse ? 'does not tell our float: its credentials may be wrong' : 'has no settings here'}.`
        : `${provider} answers: our float is ${float.amount} ${float.currency}.`,
    isWrong: ({ answered }) => !answered,
  }),
];

async function readValues(source: string): Promise<Record<string, string>> {
  const content =
    source === '-'
      ? await readStream(process.stdin)
      : await readFile(source, 'utf8').catch(() => {
          throw new CommandError('file_unreadable', `cannot read ${source}`);
        });
  const read = readSettingLines(content);
  if (typeof read === 'number') {
    throw new CommandError('file_malformed', `line ${read} must be NAME=value`);
  }
  return read;
}

type Stored = {
  readonly provider: string;
  readonly version: number;
  readonly fingerprints: Readonly<Record<string, string>>;
};

function storedText({ provider, version, fingerprints }: Stored): string {
  const rows = Object.entries(fingerprints);
  if (rows.length === 0)
    return `${provider} works with the settings of the environment (version ${version}).`;
  const listed = table(
    rows,
    [
      { title: 'SETTING', of: ([name]) => name },
      { title: 'FINGERPRINT', of: ([, fingerprint]) => fingerprint },
    ],
    '',
  );
  return `Version ${version} of the credentials of ${provider} is stored:\n${listed}`;
}
