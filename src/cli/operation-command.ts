/**
 * Derives the command of an operation from its definition: the name from the operation's name, the
 * arguments from its route, and the options from its input, with the same descriptions. Tables in
 * `commands/` add examples, short forms and texts.
 */
import { type Argument, type Command, createArgument, createOption, type Option } from 'commander';
import type { Static, TObject, TSchema } from 'typebox';
import { readTextInput, type TextInput } from '../backoffice/operations/read-text-input.ts';
import type { OperationTable } from '../backoffice/operations/registry.ts';
import { OperationError } from '../core/errors.ts';
import type { AnyOperation, OperationKind } from '../core/operation.ts';
import type { InputError, OperationErrorDetails } from '../core/operation-errors.ts';
import { readTyped, typedKindOf } from '../core/typed-number.ts';
import { UsageError } from './command-error.ts';
import { isLines, type WholeList } from './print-pages.ts';

/** A file of this machine that the command writes from the operation's output. */
export type OutputFile<Output> = {
  /** Its option, such as `--file <path>`. */
  readonly option: Option;
  /**
   * - `before_commit`: on disk before the transaction commits. If it cannot be written, nothing is
   *   done.
   * - `after_commit`: written only when the operation and its audit entry are committed.
   */
  readonly when: 'before_commit' | 'after_commit';
  /** The path below the data folder if the option is absent. */
  readonly defaultPath?: (output: Output) => string;
  readonly contentOf: (output: Output) => string | Buffer;
  /** Precedes the reason when the file cannot be written. */
  readonly unwritten?: string;
  /** The property that is written to the file instead of the output. */
  readonly inPlaceOf?: string;
};

/** The value of each flag. */
type Choices = Readonly<Record<`--${string}`, { readonly value: string; readonly help: string }>>;

type Words<Input extends TObject, Output extends TSchema> = {
  /** Default: the operation's name, such as `merchant create` for `merchant.create`. */
  readonly command?: string;
  /** Command lines without `./oja`. */
  readonly examples: readonly string[];
  /**
   * The properties that are arguments, in order; all others are options. Default: the parameters
   * of the operation's route.
   */
  readonly arguments?: readonly (keyof Static<Input> & string)[];
  /** Names that differ from the property's, such as `--file <path>`, or the word of an argument. */
  readonly flags?: { readonly [Property in keyof Static<Input>]?: string };
  /** A property with one flag for each value, such as `--success` and `--failed`. */
  readonly choices?: { readonly [Property in keyof Static<Input>]?: Choices };
  /** Converts typed text to the operation's input. */
  readonly prepare?: (input: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Properties that are given as the path of a file, with the function that reads it. */
  readonly files?: { readonly [Property in keyof Static<Input>]?: (file: string) => Promise<unknown> };
  readonly file?: OutputFile<Static<Output>>;
  /** The columns of a list, as paths of `answerText`. Default: all. */
  readonly columns?: readonly string[];
  /** Formats the output for people instead of `answerText`. `file` is the file that was written. */
  readonly text?: (output: Static<Output>, file: string | undefined) => string;
  /** The property that names a row, where the commands of its `actions` are printed below. */
  readonly actionsBy?: string;
  /** Prints all pages of a list as they arrive, instead of one page. */
  readonly whole?: WholeList<Static<Output>>;
  /** Whether the check that the operation ran failed: exit code 1. */
  readonly isWrong?: (output: Static<Output>) => boolean;
};

/**
 * Examples, short forms and texts of commands, by the name of their operation. A list is examples
 * only.
 */
export type CommandTable = {
  readonly [Name in keyof OperationTable]?:
    | Words<OperationTable[Name]['input'], OperationTable[Name]['output']>
    | readonly string[];
};

export type OperationCommand = {
  readonly operation: AnyOperation<OperationKind, never>;
  /** Below `oja`, for example `merchant create`. */
  readonly path: string;
  readonly words: Omit<
    Words<TObject, TSchema>,
    'text' | 'isWrong' | 'arguments' | 'flags' | 'choices' | 'files' | 'file' | 'whole'
  > & {
    readonly arguments?: readonly string[];
    readonly flags?: Readonly<Record<string, string | undefined>>;
    readonly choices?: Readonly<Record<string, Choices | undefined>>;
    readonly files?: Readonly<Record<string, ((file: string) => Promise<unknown>) | undefined>>;
    readonly file?: OutputFile<never>;
    readonly text?: (output: never, file: string | undefined) => string;
    readonly whole?: WholeList<never>;
    readonly isWrong?: (output: never) => boolean;
  };
};

export function commandOf(
  operation: OperationCommand['operation'],
  written: OperationCommand['words'] | readonly string[] = [],
): OperationCommand {
  const { name, route } = operation;
  const words: OperationCommand['words'] = 'examples' in written ? written : { examples: written };
  const path = words.command ?? kebab(name).replace('.', ' ');
  const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  return { operation, path, words: { arguments: parameters, ...words } };
}

/** Adds the arguments and options of the operation's input to a command. */
export function addInput(command: Command, { operation, words }: OperationCommand): void {
  const { properties } = operation.input;
  const required = requiredOf(operation.input);
  for (const name of words.arguments ?? []) {
    const schema = properties[name] ?? {};
    command.addArgument(argumentOf(words.flags?.[name] ?? name, schema, required.has(name)));
  }
  for (const name of optionNames({ operation, words })) {
    const choices = words.choices?.[name];
    if (choices !== undefined) {
      for (const option of optionsOf(choices)) command.addOption(option);
      continue;
    }
    command.addOption(optionOf(name, properties[name] ?? {}, required.has(name), words.flags?.[name]));
  }
  if (words.file !== undefined) command.addOption(words.file.option);
  if (words.whole !== undefined && !isLines(operation.output)) {
    command.addOption(createOption('--csv', 'print CSV').conflicts('json'));
  }
}

export function optionNames({ operation, words }: Pick<OperationCommand, 'operation' | 'words'>): string[] {
  const { arguments: given = [], whole } = words;
  const taken = whole === undefined ? given : [...given, ...(whole.hides ?? ['limit', 'cursor'])];
  return Object.keys(operation.input.properties).filter((name) => !taken.includes(name));
}

/** Returns the required properties that have no default. */
export function requiredOf({ properties, ...schema }: TObject): ReadonlySet<string> {
  const required: readonly string[] = schema.required ?? [];
  return new Set(required.filter((name) => Reflect.get(properties[name] ?? {}, 'default') === undefined));
}

/** Builds the operation's input from commander's result. */
export function readInput(
  { operation, words }: OperationCommand,
  args: readonly (string | readonly string[] | undefined)[],
  options: TextInput,
): Record<string, unknown> {
  const texts: Record<string, TextInput[string]> = {};
  for (const [index, name] of (words.arguments ?? []).entries()) texts[name] = args[index];
  for (const name of optionNames({ operation, words })) {
    const choices = words.choices?.[name];
    if (choices !== undefined) {
      texts[name] = chosenOf(choices, options);
      continue;
    }
    const option = optionOf(name, {}, false, words.flags?.[name]);
    texts[name] = options[option.attributeName()];
  }
  return readTextInput(operation.input, readNumbers(operation.input, texts));
}

/** Converts typed amounts and rates to the operation's format. Throws UsageError. */
function readNumbers({ properties }: TObject, texts: TextInput): TextInput {
  const currency = typeof texts.currency === 'string' ? texts.currency.toUpperCase() : undefined;
  const errors: InputError[] = [];
  const read = Object.entries(texts).map(([field, text]) => {
    const kind = typedKindOf(properties[field] ?? {});
    if (kind === undefined || typeof text !== 'string' || text === '') return [field, text];
    const number = readTyped(kind, text, currency);
    if ('text' in number) return [field, number.text];
    errors.push({ field, kind: 'wrong', wanted: number.fault });
    return [field, text];
  });
  if (errors.length === 0) return Object.fromEntries(read);
  throw usageError({ code: 'input_malformed', errors });
}

/** Wraps an error of the input as one of how the command is used. */
export function usageError(details: OperationErrorDetails): UsageError {
  const cause = new OperationError(details);
  return new UsageError('usage', cause.message, { cause });
}

function argumentOf(name: string, schema: object, isRequired: boolean): Argument {
  const word = `${kebab(name)}${isList(schema) ? '...' : ''}`;
  return createArgument(isRequired ? `<${word}>` : `[${word}]`, helpOf(schema));
}

export function optionOf(
  name: string,
  schema: object,
  isRequired: boolean,
  flags: string | undefined,
): Option {
  const option = createOption(flags ?? flagsOf(name, schema), helpOf(schema));
  option.makeOptionMandatory(isRequired);
  return option;
}

/** Returns one option for each choice. At most one of them can be given. */
function optionsOf(choices: Choices): Option[] {
  const options = Object.entries(choices).map(([flag, { help }]) => createOption(flag, help));
  for (const option of options) {
    option.conflicts(options.filter((other) => other !== option).map((other) => other.attributeName()));
  }
  return options;
}

function chosenOf(choices: Choices, options: TextInput): string | undefined {
  return Object.entries(choices).find(
    ([flag]) => options[createOption(flag).attributeName()] !== undefined,
  )?.[1].value;
}

function flagsOf(name: string, schema: object): string {
  const flag = name === 'environment' ? '--env' : `--${kebab(name)}`;
  if (Reflect.get(schema, 'type') === 'boolean') return flag;
  return `${flag} <${isList(schema) ? `${kebab(name)}...` : wordOf(name, schema)}>`;
}

/** Returns the placeholder of the option's value. */
function wordOf(name: string, schema: object): string {
  if (Reflect.get(schema, 'format') === 'date') return 'day';
  const typed: unknown = Reflect.get(schema, 'x-typed');
  return typed === 'naira' || typed === 'percent' ? typed : kebab(name);
}

function isList(schema: object): boolean {
  return Reflect.get(schema, 'type') === 'array';
}

function helpOf(schema: object): string {
  const description: unknown = Reflect.get(schema, 'description');
  const fallback: unknown = Reflect.get(schema, 'default');
  const words = typeof description === 'string' ? description : '';
  const isTold = fallback !== undefined && fallback !== false;
  return isTold ? `${words} (default: ${String(fallback)})` : words;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
