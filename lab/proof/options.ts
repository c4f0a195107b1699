/** The command line of `npm run proof`, and the items that it chooses. */
import { parseArgs } from 'node:util';
import type { Item } from './items.ts';

export type Options = {
  /** Undefined: all items. */
  readonly only: readonly string[] | undefined;
  readonly without: readonly string[];
  readonly short: boolean;
  readonly list: boolean;
};

const HOURS_MIN = 60;

export const usage = `usage: npm run proof -- [options]

  --only A,B      runs only these items
  --without A,B   leaves these items out
  --short         runs items of an hour or more in their short form, or leaves them out
  --list          lists the chosen items and runs none of them
`;

/** Throws an error with a message for the user. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      without: { type: 'string' },
      short: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only?.split(','),
    without: values.without?.split(',') ?? [],
    short: values.short,
    list: values.list,
  };
}

/** Returns the chosen items in the order of the list. Throws where a name is unknown. */
export function chooseItems<T extends Pick<Item, 'name' | 'command' | 'short' | 'minutes'>>(
  items: readonly T[],
  { only, without, short }: Options,
): T[] {
  const names = items.map(({ name }) => name);
  const unknown = [...(only ?? []), ...without].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`unknown item "${unknown}". Items: ${names.join(', ')}`);
  return items
    .filter(({ name }) => (only === undefined || only.includes(name)) && !without.includes(name))
    .filter((item) => !short || item.short !== undefined || item.minutes < HOURS_MIN)
    .map((item) => (short ? { ...item, ...item.short } : item));
}
