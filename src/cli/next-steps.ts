/** The commands of the actions that rows of a list have. Rows carry data only. */
import type { TSchema } from 'typebox';
import type { Action } from '../core/action.ts';
import { type OperationCommand, optionNames, optionOf, requiredOf } from './operation-command.ts';

type Row = Readonly<Record<string, unknown>> & {
  readonly actions: readonly Action[];
  readonly advice?: string | null;
};

/** Returns the command of an action, without `./oja`; undefined if it has none. */
export type LineOf = (action: Action) => string | undefined;

/** Lists the commands or the advice of each row, by the property that names a row. */
export function nextSteps(rows: readonly unknown[], nameOf: string, lineOf: LineOf): string {
  const lines = (rows as readonly Row[]).flatMap(({ actions, advice, ...row }) => {
    const commands = actions.map(lineOf).filter((line) => line !== undefined);
    const steps = commands.map((line) => `./oja ${line}`);
    if (typeof advice === 'string') steps.push(advice);
    return steps.map((step) => `${String(row[nameOf])}: ${step}`);
  });
  return lines.length === 0 ? '' : `\nWhat to do next:\n${lines.join('\n')}\n`;
}

/** Writes a command with its input. "…" stands for other required input. */
export function commandLine({ operation, path, words }: OperationCommand, input: Action['input']): string {
  const required = requiredOf(operation.input);
  const args = (words.arguments ?? []).flatMap((name) => {
    const value = input[name];
    if (value !== undefined) return [word(String(value))];
    return required.has(name) ? ['…'] : [];
  });
  const others: string[] = [];
  const options = optionNames({ operation, words }).flatMap((name) => {
    const value = input[name];
    if (value === undefined && !required.has(name)) return [];
    const choices = words.choices?.[name];
    if (choices !== undefined) {
      const flags = Object.keys(choices) as (keyof typeof choices)[];
      const chosen = flags.find((flag) => choices[flag]?.value === value);
      if (chosen === undefined) others.push(...flags.slice(1));
      return [chosen ?? flags[0] ?? ''];
    }
    const schema: TSchema = operation.input.properties[name] ?? {};
    const { long } = optionOf(name, schema, false, words.flags?.[name]);
    if (Reflect.get(schema, 'type') === 'boolean') return value === false ? [] : [long ?? ''];
    return [`${long} ${value === undefined ? '…' : word(String(value))}`];
  });
  const rest = others.map((flag) => `(or ${flag})`);
  return [path, ...args, ...options, ...rest].join(' ');
}

/** Quotes a text as one argument of a shell. */
function word(text: string): string {
  if (/^[A-Za-z0-9_.:/@%+=-]+$/.test(text) && !text.startsWith('-')) return text;
  return `'${text.replace(/[\p{Cc}]+/gu, ' ').replaceAll("'", "'\\''")}'`;
}
