/** `oja funding`: who may have a bank account for top-ups, and which accounts there are. */
import { createOption } from 'commander';
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
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readBytes } from '../read-file.ts';

const documentKinds = 'a JPEG, PNG, WebP or PDF file of at most 5 MB';

export const fundingCommands: readonly OperationCommand[] = [
  commandOf(enableFundingOperation, {
    arguments: ['merchant', 'currency'],
    examples: ['funding enable SHOP NGN', 'funding enable SHOP NGN --env live'],
  }),
  commandOf(disableFundingOperation, {
    arguments: ['merchant', 'currency'],
    examples: ['funding disable SHOP NGN', 'funding disable SHOP NGN --env live'],
  }),
  commandOf(showFundingOperation, {
    arguments: ['merchant'],
    examples: ['funding show SHOP'],
  }),
  commandOf(showOwnFundingOperation, {
    arguments: ['merchant'],
    examples: ['funding account SHOP'],
  }),
  commandOf(openFundingOperation, {
    arguments: ['merchant'],
    flags: { document: '--document <path>' },
    files: { document: readDocument },
    examples: [
      'funding open SHOP --env test --document id-card.jpg',
      'funding open SHOP --env test --first-name Ada --last-name Obi --email ada@shop.example --phone 08031234567 --bvn 22222222222',
    ],
  }),
  commandOf(revealDocumentOperation, {
    command: 'funding document',
    arguments: ['merchant'],
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
  }),
  commandOf(replaceDocumentOperation, {
    arguments: ['merchant'],
    flags: { content: '--file <path>' },
    examples: ['funding replace-document SHOP --env live --file new-card.jpg'],
    files: { content: readDocument },
  }),
  commandOf(forgetDocumentsOperation, {
    examples: [
      'funding forget-documents --days 90 --yes',
      'funding forget-documents --days 0 --merchant SHOP --yes',
    ],
  }),
];

/** In base 64. Throws CommandError for a file that cannot be read, or is too large. */
async function readDocument(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.length > documentBytesMax)
    throw new CommandError('document_malformed', `${path} must be ${documentKinds}`);
  return bytes.toString('base64');
}
