/**
 * Adds the command of an operation to the program. Guarantees: what is malformed is refused before
 * anything is opened; what moves money has a key, printed before it is done; what is destructive is
 * asked about on a terminal, and elsewhere needs `--yes`.
 */
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
import { confirm } from './confirm.ts';
import { addInput, type OperationCommand, readInput, usageError } from './operation-command.ts';
import type { CommandResult } from './output.ts';
import { answerText } from './print-answer.ts';
import { examplesText, type Run } from './run.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { writeOutput } from './write-output.ts';

type CommonOptions = { readonly json?: boolean; readonly actor?: string; readonly yes?: boolean };

export function addOperation(
  program: Command,
  run: Run,
  command: OperationCommand,
  terminal: Terminal,
): void {
  const { operation, path, words } = command;
  const names = path.split(' ');
  const name = names.pop() ?? path;
  const parent = groupAt(program, names.join(' '));
  const added = parent.command(name).description(operation.summary);
  addInput(added, command);
  if (operation.confirm !== undefined) added.option('--yes', 'do it without asking');
  if (operation.kind !== 'question') {
    added.option('--actor <name>', 'who does it, for the audit log (default: your system user)');
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
    await run(options, async (session) => await runCommand(command, typed, options, session, terminal));
  });
}

async function runCommand(
  command: OperationCommand,
  typed: Record<string, unknown>,
  options: TextInput,
  { services, operator, dataDir }: Session,
  terminal: Terminal,
): Promise<CommandResult> {
  const { operation, words } = command;
  const registered = operationNamed(operation.name);
  const read = await readFiles(command, typed);
  const input = operation.movesMoney === true ? withKey(read, terminal) : read;
  if (words.whole !== undefined) {
    const pages = eachPage((asked) => runOperation(services, registered, asked, operator), {
      limit: Reflect.get(operation.input.properties.limit ?? {}, 'maximum'),
      ...input,
    });
    return { answer: {}, text: '', stream: words.whole.print(pages as AsyncIterable<never>, options) };
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
  return {
    answer: answerOf(operation, { ...ran, output }),
    text: `${ran.repeated ? repeatedText : ''}${text}${secretText(ran)}${moreOf(operation, ran.output)}`,
    failed: words.isWrong?.(ran.output as never) ?? false,
  };
}

const repeatedText = 'It was done before under this key, and nothing was done now.\n';

function secretText({ output }: Ran): string {
  const isShown = isRecord(output) && typeof output.secret === 'string';
  return isShown ? '\n\nThe secret is not shown again.' : '';
}

function waitingText({ id, expires_at: until }: ApprovalAnswer): string {
  return (
    `It is not done yet: a second person must approve it until ${until}, by\n` +
    `  ./oja approval approve ${id}\n` +
    `What is asked for: ./oja approval show ${id}`
  );
}

/** Until the cursor of a page is null. */
async function* eachPage(
  ask: (input: object) => Promise<Ran>,
  input: Record<string, unknown>,
): AsyncGenerator<unknown> {
  let page: object = {};
  for (;;) {
    const { output } = await ask({ ...input, ...page });
    yield output;
    const { cursor } = output as { readonly cursor: string | null };
    if (cursor === null) return;
    page = { cursor };
  }
}

/** Where it was written is printed, and not what is only in the file. */
function withFile(output: unknown, inPlaceOf: string | undefined, file: string | undefined): unknown {
  if (file === undefined) return output;
  const kept = Object.entries(output as object).filter(([name]) => name !== inPlaceOf);
  return { ...Object.fromEntries(kept), file };
}

/** How the list goes on. */
function moreOf({ output }: OperationCommand['operation'], answer: unknown): string {
  const cursor = isPage(output) ? (answer as { readonly cursor: string | null }).cursor : null;
  return cursor === null ? '' : `\nThere are more: add --cursor ${cursor}`;
}

/** The group of commands of that path, made where it is not there; the program for none. */
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

/** Throws UsageError where the input is malformed. */
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

/** Leaves out errors of fields that are read from files later. Returns undefined if none is left. */
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

/** Files are read only when it is to be done: one of them may be the standard input. */
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

/** Whoever loses the answer can send the same once more under the key that was printed. */
function withKey(input: Record<string, unknown>, { stderr }: Terminal): Record<string, unknown> {
  const key = input.key ?? newId();
  stderr.write(`key: ${String(key)} (repeat with --key ${String(key)})\n`);
  return { ...input, key };
}
