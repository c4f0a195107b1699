/**
 * `oja funding document`, `replace-document` and `forget-documents`: documents of identity that
 * merchants sent.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { documentBytesMax, documentTypeOf } from '../../funding/id-document.ts';
import { forgetDocuments, replaceDocument, revealDocument } from '../../funding/operations/documents.ts';
import type { IdDocument } from '../../funding/registration.ts';
import type { Environment } from '../../kernel/environment.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readEnvironment, readWholeNumber } from '../arguments.ts';
import { CommandError } from '../command-error.ts';

type OneOptions = { readonly env: Environment; readonly file: string };

export function addFundingDocuments(group: Command, run: Run): void {
  addShow(group, run);
  addReplace(group, run);
  addForget(group, run);
}

function addShow(group: Command, run: Run): void {
  addCommand<[string], OneOptions>(group, run, {
    name: 'document',
    description: "write a merchant's document of identity to a new file; noted in the audit log",
    examples: ['funding document SHOP --env live --file id-card.jpg'],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .requiredOption('--env <environment>', 'test or live', readEnvironment)
        .requiredOption('--file <path>', 'a file that is not there yet; for its owner alone'),
    work: async ({ database, sealer, actor }, [merchantCode], { env, file }) => {
      const keys = await sealer();
      const { mediaType, bytes } = await database.transaction((tx) =>
        revealDocument(tx, keys, { merchantCode, environment: env }, actor),
      );
      await writeFile(file, bytes, { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
        throw new CommandError(`cannot write ${file}: ${error.message}; --file names another`);
      });
      return {
        data: { merchant: merchantCode, environment: env, media_type: mediaType, bytes: bytes.length, file },
        text: `${file}: ${mediaType}, ${bytes.length} bytes.`,
      };
    },
  });
}

function addReplace(group: Command, run: Run): void {
  addCommand<[string], OneOptions>(group, run, {
    name: 'replace-document',
    description: "put another document of identity in place of a merchant's; noted in the audit log",
    examples: ['funding replace-document SHOP --env live --file new-card.jpg'],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .requiredOption('--env <environment>', 'test or live', readEnvironment)
        .requiredOption('--file <path>', 'a JPEG, PNG, WebP or PDF file of at most 5 MB'),
    work: async ({ database, sealer, actor }, [merchantCode], { env, file }) => {
      const keys = await sealer();
      const document = await readDocument(file);
      await database.transaction((tx) =>
        replaceDocument(tx, keys, { merchantCode, environment: env, document }, actor),
      );
      const { mediaType } = document;
      return {
        data: { merchant: merchantCode, environment: env, media_type: mediaType },
        text: `${merchantCode} has this document in ${env} now: ${mediaType}, ${document.bytes.length} bytes.`,
      };
    },
  });
}

/** Throws CommandError for a file that is no document, or cannot be read. */
async function readDocument(file: string): Promise<IdDocument> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`cannot read ${file}: ${error.message}`);
  });
  const mediaType = bytes.length > documentBytesMax ? undefined : await documentTypeOf(bytes);
  if (mediaType === undefined) {
    throw new CommandError(`${file} must be a JPEG, PNG, WebP or PDF file of at most 5 MB`);
  }
  return { mediaType, bytes };
}

function addForget(group: Command, run: Run): void {
  addCommand<[], { readonly days: number; readonly merchant?: string }>(group, run, {
    name: 'forget-documents',
    description: 'delete documents of identity that were sent so many days ago or earlier, for good',
    examples: ['funding forget-documents --days 90', 'funding forget-documents --days 0 --merchant SHOP'],
    writes: true,
    configure: (command) =>
      command
        .requiredOption('--days <number>', 'how many days a document is kept', readWholeNumber)
        .option('--merchant <code>', 'of one merchant, who may then send another'),
    work: async ({ database, actor }, _args, { days, merchant }) => {
      const forgotten = await database.transaction((tx) =>
        forgetDocuments(tx, { days, merchantCode: merchant }, actor),
      );
      return { data: { forgotten }, text: `${forgotten.length} documents are deleted.` };
    },
  });
}
