/**
 * The command of an operation: words and tables around it, and nothing else. Its arguments and
 * options are the properties of the operation's input, with the same descriptions.
 */
import { type Argument, type Command, createArgument, createOption, type Option } from 'commander';
import type { Static, TObject, TSchema } from 'typebox';
import { readTextInput, type TextInput } from '../backoffice/operations/read-text-input.ts';
import { OperationError } from '../core/errors.ts';
import type { AnyOperation, Operation, OperationKind } from '../core/operation.ts';
import type { InputError, OperationErrorDetails } from '../core/operation-errors.ts';
import { readTyped, typedKindOf } from '../core/typed-number.ts';
import { UsageError } from './command-error.ts';

/** What the command writes to a file of this machine, out of the operation's output. */
export type OutputFile<Output> = {
  /** Its option, such as `--file <path>`. */
  readonly option: Option;
  /**
   * - `before_commit`: on disk before the act is stored. If it cannot be written, nothing is done.
   * - `after_commit`: only once the act is stored, with its entry in the audit log.
   */
  readonly when: 'before_commit' | 'after_commit';
  /** Where it goes if the option does not say: below the data folder. */
  readonly defaultPath?: (output: Output) => string;
  readonly contentOf: (output: Output) => string | Buffer;
  /** Said before why it cannot be written. */
  readonly unwritten?: string;
  /** The property that is in the file, and is not printed. */
  readonly inPlaceOf?: string;
};

/** By flag: the value that it stands for. */
type Choices = Readonly<Record<`--${string}`, { readonly value: string; readonly help: string }>>;

type Words<Input extends TObject, Output extends TSchema> = {
  /** Default: the operation's name, `merchant.create` as `merchant create`. */
  readonly command?: string;
  /** Of the program alone, without `./oja`. */
  readonly examples: readonly string[];
  /** The properties that are arguments, in order; all others are options. */
  readonly arguments?: readonly (keyof Static<Input> & string)[];
  /**
   * Options by another name than that of the property, for example `--file <path>`; of an argument
   * its word.
   */
  readonly flags?: { readonly [Property in keyof Static<Input>]?: string };
  /** A property that is given by one flag for each of its values, `--success` or `--failed`. */
  readonly choices?: { readonly [Property in keyof Static<Input>]?: Choices };
  /** What is done here with what was typed before the operation sees it. */
  readonly prepare?: (input: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Properties for which the name of a file is typed, and how it is read. */
  readonly files?: { readonly [Property in keyof Static<Input>]?: (file: string) => Promise<unknown> };
  readonly file?: OutputFile<Static<Output>>;
  /** What is printed of each row of a list, by the paths of `answerText`. Default: all. */
  readonly columns?: readonly string[];
  /** The output for people, in place of `answerText`; `file` is where a part of it was written. */
  readonly text?: (output: Static<Output>, file: string | undefined) => string;
  /** Prints a list whole, page by page as it comes, in place of one page. */
  readonly whole?: WholeList<Static<Output>>;
  /** The operation found what it looks for to be wrong: exit code 1. */
  readonly isWrong?: (output: Static<Output>) => boolean;
};

/** A list of which all pages are printed, one after the other, each as soon as it is there. */
type WholeList<Output> = {
  /** Of the command alone: how it is printed. */
  readonly options: readonly Option[];
  /** Properties that the command has no option for. */
  readonly hides: readonly string[];
  readonly print: (pages: AsyncIterable<Output>, options: TextInput) => AsyncIterable<string>;
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

export function commandOf<Kind extends OperationKind, Needs, Input extends TObject, Output extends TSchema>(
  operation: Operation<Kind, Needs, Input, Output>,
  words: Words<Input, Output>,
): OperationCommand {
  const path = words.command ?? commandName(operation);
  return { operation, path, words };
}

function commandName({ name }: { readonly name: string }): string {
  return name.replaceAll('_', '-').replace('.', ' ');
}

/** Adds the arguments and options of the input to a command. */
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
  for (const option of words.whole?.options ?? []) command.addOption(option);
}

/** The properties that are options. */
function optionNames({ operation, words }: Pick<OperationCommand, 'operation' | 'words'>): string[] {
  const taken = [...(words.arguments ?? []), ...(words.whole?.hides ?? [])];
  return Object.keys(operation.input.properties).filter((name) => !taken.includes(name));
}

/** What has a default need not be typed. */
function requiredOf({ properties, ...schema }: TObject): ReadonlySet<string> {
  const required: readonly string[] = schema.required ?? [];
  return new Set(required.filter((name) => Reflect.get(properties[name] ?? {}, 'default') === undefined));
}

/** The operation's input from what commander has read. */
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

/**
 * Amounts and rates in the spelling of the operation. Throws UsageError for one that cannot be
 * read.
 */
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

function optionOf(name: string, schema: object, isRequired: boolean, flags: string | undefined): Option {
  const option = createOption(flags ?? flagsOf(name, schema), helpOf(schema));
  option.makeOptionMandatory(isRequired);
  return option;
}

/** One of them at most can be given. */
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

/** What stands for the value. */
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
