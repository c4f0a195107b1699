/** `oja funding`: who may have a bank account for top-ups, and which accounts there are. */
import { readFile } from 'node:fs/promises';
import { createOption } from 'commander';
import type { Static } from 'typebox';
import { documentBytesMax } from '../../funding/id-document.ts';
import {
  forgetDocumentsOperation,
  replaceDocumentOperation,
  revealDocumentOperation,
} from '../../funding/operations/documents.ts';
import { openFundingOperation } from '../../funding/operations/open-funding.ts';
import { disableFundingOperation, enableFundingOperation } from '../../funding/operations/set-funding.ts';
import { showFundingOperation } from '../../funding/operations/show-funding.ts';
import { showOwnFundingOperation } from '../../funding/operations/show-own-funding.ts';
import { CommandError } from '../command-error.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';

const documentKinds = 'a JPEG, PNG, WebP or PDF file of at most 5 MB';

export const fundingCommands: readonly OperationCommand[] = [
  commandOf(enableFundingOperation, {
    arguments: ['merchant', 'currency'],
    flags: { environment: environmentFlag },
    examples: ['funding enable SHOP NGN', 'funding enable SHOP NGN --env live'],
    text: switchText,
  }),
  commandOf(disableFundingOperation, {
    arguments: ['merchant', 'currency'],
    flags: { environment: environmentFlag },
    examples: ['funding disable SHOP NGN', 'funding disable SHOP NGN --env live'],
    text: switchText,
  }),
  commandOf(showFundingOperation, {
    arguments: ['merchant'],
    examples: ['funding show SHOP'],
    text: fundingText,
  }),
  commandOf(showOwnFundingOperation, {
    arguments: ['merchant'],
    examples: ['funding account SHOP'],
    text: ({ accounts }) =>
      table(
        accounts,
        [
          { title: 'ENV', of: (row) => row.environment },
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'STATUS', of: (row) => (row.refusal === null ? row.status : `refused: ${row.refusal}`) },
          { title: 'ACCOUNT', of: (row) => row.account_number ?? '-' },
          { title: 'NAME', of: (row) => row.account_name ?? '-' },
          { title: 'BANK', of: (row) => row.bank_name ?? '-' },
          { title: 'FEE', of: (row) => row.fee, right: true },
        ],
        'Funding is not enabled.',
      ),
  }),
  commandOf(openFundingOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag, document: '--document <path>' },
    files: { document: readDocument },
    examples: [
      'funding open SHOP --env test --document id-card.jpg',
      'funding open SHOP --env test --first-name Ada --last-name Obi --email ada@shop.example --phone 08031234567 --bvn 22222222222',
    ],
    text: ({ environment, currency, status, account_number: number, bank_name: bank }) =>
      number === null
        ? `The bank is opening the ${environment} account in ${currency}.`
        : `The ${environment} account in ${currency} is ${number} at ${bank}: ${status}.`,
  }),
  commandOf(revealDocumentOperation, {
    command: 'funding document',
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: ['funding document SHOP --env live --file id-card.jpg'],
    file: {
      option: createOption(
        '--file <path>',
        'a file that is not there yet, for its owner alone',
      ).makeOptionMandatory(),
      when: 'after_commit',
      contentOf: ({ content }) => Buffer.from(content, 'base64'),
      inPlaceOf: 'content',
    },
    text: ({ media_type: mediaType, bytes }, _input, file) => `${file}: ${mediaType}, ${bytes} bytes.`,
  }),
  commandOf(replaceDocumentOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag, content: '--file <path>' },
    examples: ['funding replace-document SHOP --env live --file new-card.jpg'],
    files: { content: readDocument },
    text: ({ merchant, environment, media_type: mediaType, bytes }) =>
      `${merchant} has this document in ${environment} now: ${mediaType}, ${bytes} bytes.`,
  }),
  commandOf(forgetDocumentsOperation, {
    examples: [
      'funding forget-documents --days 90 --yes',
      'funding forget-documents --days 0 --merchant SHOP --yes',
    ],
    text: ({ forgotten }) => `${forgotten.length} documents are deleted.`,
  }),
];

/** In base 64. Throws CommandError for a file that cannot be read, or is too large. */
async function readDocument(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError('file_unreadable', `cannot read ${file}: ${error.message}`);
  });
  if (bytes.length > documentBytesMax)
    throw new CommandError('document_malformed', `${file} must be ${documentKinds}`);
  return bytes.toString('base64');
}

function switchText({
  currency,
  enabled,
  environments,
}: Static<(typeof enableFundingOperation)['output']>): string {
  return environments
    .map(
      ({ environment, changed }) =>
        `${currency} funding is ${changed ? 'now' : 'already'} ${enabled ? 'enabled' : 'disabled'} in ${environment}.`,
    )
    .join('\n');
}

function fundingText({ enabled, bvn, accounts }: Static<(typeof showFundingOperation)['output']>): string {
  return [
    pairs([
      ['Enabled, test', enabled.test.join(', ') || 'none'],
      ['BVN, test', bvn.test ?? '-'],
      ['Enabled, live', enabled.live.join(', ') || 'none'],
      ['BVN, live', bvn.live ?? '-'],
    ]),
    '',
    table(
      accounts,
      [
        { title: 'ENV', of: (row) => row.environment },
        { title: 'CURRENCY', of: (row) => row.currency },
        { title: 'STATUS', of: (row) => row.status },
        { title: 'ACCOUNT', of: (row) => row.account_number ?? '-' },
        { title: 'NAME', of: (row) => row.account_name ?? '-' },
        { title: 'BANK', of: (row) => row.bank_name ?? '-' },
        { title: 'PROVIDER', of: (row) => `${row.provider} ${row.reference}` },
        { title: 'DOCUMENT', of: (row) => (row.document ? 'yes' : 'no') },
        { title: 'SWEPT', of: (row) => optional(row.swept_at, timeText) },
        { title: 'REFUSED', of: (row) => row.refusal ?? '-' },
      ],
      'No funding accounts.',
    ),
  ].join('\n');
}
