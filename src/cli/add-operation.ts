/**
 * Adds the command of an operation to the program.
 *
 * Guarantees: malformed input is refused before anything is opened; an operation that moves money
 * has an idempotency key, which is printed before it runs; a destructive operation asks for
 * confirmation on a terminal and needs `--yes` elsewhere.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { answerOf } from '../backoffice/operations/answer-of.ts';
import { checkInput } from '../backoffice/operations/check-input.ts';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { operationNamed } from '../backoffice/operations/registry.ts';
import { type Ran, runOperation } from '../backoffice/operations/run-operation.ts';
import { OperationError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { isRecord } from '../core/json.ts';
import type { OperationErrorDetails } from '../core/operation-errors.ts';
import { isPage } from '../core/operation-fields.ts';
import type { ApprovalAnswer } from '../oversight/approvals/approval-answer.ts';
import { CommandError } from './command-error.ts';
import { type LineOf, nextSteps } from './next-steps.ts';
import {
  addInput,
  type OperationCommand,
  type OutputFile,
  readInput,
  usageError,
} from './operation-command.ts';
import type { CommandResult } from './output.ts';
import { answerText } from './print-answer.ts';
import { printPages } from './print-pages.ts';
import { examplesText, type Run, type Session, type Terminal } from './run.ts';

type Surroundings = { readonly terminal: Terminal; readonly lineOf: LineOf };

type CommonOptions = { readonly json?: boolean; readonly actor?: string; readonly yes?: boolean };

export function addOperation(
  program: Command,
  run: Run,
  command: OperationCommand,
  { terminal, lineOf }: Surroundings,
): void {
  const { operation, path, words } = command;
  const names = path.split(' ');
  const name = names.pop() ?? path;
  const parent = groupAt(program, names.join(' '));
  const added = parent.command(name).description(operation.summary);
  addInput(added, command);
  if (operation.confirm !== undefined) added.option('--yes', 'skip the confirmation');
  if (operation.kind !== 'question') {
    added.option('--actor <name>', 'your name for the audit log (default: your system user)');
  }
  added.option('--json', 'print JSON');
  added.addHelpText('after', examplesText(words.examples));
  added.action(async (...given: unknown[]) => {
    const options = added.opts<TextInput & CommonOptions>();
    // Commander appends the options and the command itself to the arguments.
    const args = given.slice(0, -2) as readonly (string | undefined)[];
    const typed = await prepareInput(command, args, options);
    const question = questionOf(command, typed);
    if (question !== undefined && options.yes !== true) await confirm(question, terminal);
    await run(
      options,
      async (session) => await runCommand(command, typed, options, session, { terminal, lineOf }),
    );
  });
}

/** Throws CommandError if the answer is no or there is no terminal. */
async function confirm(question: string, { stdin, stderr }: Terminal): Promise<void> {
  if (!stdin.isTTY) {
    throw new CommandError(
      'confirmation_needed',
      `${question} Add --yes to confirm, because there is no terminal`,
    );
  }
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('not_confirmed', 'nothing was changed');
  } finally {
    prompt.close();
  }
}

async function runCommand(
  command: OperationCommand,
  typed: Record<string, unknown>,
  options: TextInput,
  { services, operator, dataDir }: Session,
  { terminal, lineOf }: Surroundings,
): Promise<CommandResult> {
  const { operation, words } = command;
  const registered = operationNamed(operation.name);
  const read = await readFiles(command, typed);
  const { actionsBy } = words;
  const below =
    actionsBy === undefined ? undefined : (rows: readonly unknown[]) => nextSteps(rows, actionsBy, lineOf);
  const input = operation.movesMoney === true ? withKey(read, terminal) : read;
  if (words.whole !== undefined) {
    const pages = eachPage((page) => runOperation(services, registered, page, operator), {
      limit: Reflect.get(operation.input.properties.limit ?? {}, 'maximum'),
      ...input,
    });
    const stream = printPages(
      operation.output,
      { ...words.whole, columns: words.columns, below },
      pages,
      options,
    );
    return { answer: {}, text: '', stream };
  }
  let file: string | undefined;
  const write = async (output: unknown): Promise<void> => {
    file = words.file && (await writeOutput(words.file, output, { options, dataDir }));
  };
  const ran = await runOperation(services, registered, input, operator, {
    beforeCommit: words.file?.when === 'before_commit' ? write : undefined,
  });
  if (ran.approval !== undefined) {
    return { answer: answerOf(operation, ran), text: waitingText(ran.approval) };
  }
  if (words.file?.when === 'after_commit') await write(ran.output);
  const output = withFile(ran.output, words.file?.inPlaceOf, file);
  const text = words.text?.(ran.output as never, file) ?? answerText(operation.output, output, words.columns);
  const steps = below?.((ran.output as { readonly data: readonly unknown[] }).data);
  return {
    answer: answerOf(operation, { ...ran, output }),
    text: `${ran.repeated ? repeatedText : ''}${text}${steps ? `\n${steps.trimEnd()}` : ''}${secretText(ran)}${moreOf(operation, ran.output)}`,
    failed: words.isWrong?.(ran.output as never) ?? false,
  };
}

const repeatedText = 'This key was used before. Nothing was changed now.\n';

function secretText({ output }: Ran): string {
  const isShown = isRecord(output) && typeof output.secret === 'string';
  return isShown ? '\n\nThe secret will not be shown again.' : '';
}

function waitingText({ id, expires_at: until }: ApprovalAnswer): string {
  return (
    `Not done yet. A second person must approve this request by ${until}:\n` +
    `  ./oja approval approve ${id}\n` +
    `Show the request: ./oja approval show ${id}`
  );
}

/** Reads pages until the cursor of one is null. */
async function* eachPage(
  read: (input: object) => Promise<Ran>,
  input: Record<string, unknown>,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let page: object = {};
  for (;;) {
    const { output } = await read({ ...input, ...page });
    yield output as Readonly<Record<string, unknown>>;
    const { cursor } = output as { readonly cursor: string | null };
    if (cursor === null) return;
    page = { cursor };
  }
}

/** Replaces the property that was written to a file by the path of the file. */
function withFile(output: unknown, inPlaceOf: string | undefined, file: string | undefined): unknown {
  if (file === undefined) return output;
  const kept = Object.entries(output as object).filter(([name]) => name !== inPlaceOf);
  return { ...Object.fromEntries(kept), file };
}

/** Prints how to read the next page of a list. */
function moreOf({ output }: OperationCommand['operation'], answer: unknown): string {
  const cursor = isPage(output) ? (answer as { readonly cursor: string | null }).cursor : null;
  return cursor === null ? '' : `\nNext page: add --cursor ${cursor}`;
}

/** Returns the command group of a path and creates it if needed. An empty path is the program. */
export function groupAt(program: Command, path: string): Command {
  return path
    .split(' ')
    .filter((name) => name !== '')
    .reduce(
      (parent: Command, name) =>
        parent.commands.find((command) => command.name() === name) ?? parent.command(name),
      program,
    );
}

/** Throws UsageError if the input is malformed. */
async function prepareInput(
  command: OperationCommand,
  args: readonly (string | undefined)[],
  options: TextInput,
): Promise<Record<string, unknown>> {
  const { operation, words } = command;
  const typed = readInput(command, args, options);
  const input = (await words.prepare?.(typed)) ?? typed;
  try {
    checkInput(operation.input, input);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const details = typedErrors(error.details, command);
    if (details !== undefined) throw usageError(details);
  }
  return input;
}

/**
 * Leaves out errors of fields that are read from files later. Returns undefined if none is left.
 */
function typedErrors(
  details: OperationErrorDetails,
  { words }: OperationCommand,
): OperationErrorDetails | undefined {
  if (details.code !== 'input_malformed') return details;
  const errors = details.errors.filter(
    ({ field, kind }) => kind === 'missing' || words.files?.[field] === undefined,
  );
  return errors.length === 0 ? undefined : { ...details, errors };
}

/** Reads the files just before the operation runs: one of them may be the standard input. */
async function readFiles(
  { words }: OperationCommand,
  typed: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const input = { ...typed };
  for (const [property, read] of Object.entries(words.files ?? {})) {
    const file = typed[property];
    if (typeof file === 'string') input[property] = await read?.(file);
    if (Array.isArray(file)) input[property] = await Promise.all(file.map((one) => read?.(String(one))));
  }
  return input;
}

function questionOf({ operation: { confirm } }: OperationCommand, typed: object): string | undefined {
  return typeof confirm === 'function' ? confirm(typed as never) : confirm;
}

/** Prints the key, so that a lost answer can be repeated safely with the same key. */
function withKey(input: Record<string, unknown>, { stderr }: Terminal): Record<string, unknown> {
  const key = input.key ?? newId();
  stderr.write(`key: ${String(key)} (to repeat safely: --key ${String(key)})\n`);
  return { ...input, key };
}

/** Returns the path of the file. Throws CommandError if it cannot be written. */
async function writeOutput(
  file: OutputFile<never>,
  output: unknown,
  { options, dataDir }: { readonly options: TextInput; readonly dataDir: string },
): Promise<string> {
  const named = options[file.option.attributeName()];
  const path = resolve(
    typeof named === 'string' ? named : join(dataDir, file.defaultPath?.(output as never) ?? ''),
  );
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Fails if the file exists.
    const content = file.contentOf(output as never);
    await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const unwritten = file.unwritten === undefined ? '' : `${file.unwritten}: `;
    const flag = file.option.long ?? '';
    throw new CommandError(
      'file_unwritable',
      `${unwritten}cannot write ${path}: ${(error as Error).message}. Choose another with ${flag}`,
    );
  }
  return path;
}
