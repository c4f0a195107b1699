/** The command line of `npm run ten-million`. */
import { parseArgs } from 'node:util';

export type Options = {
  /** Purchases of the large database, and of the small one that it is compared with. */
  readonly purchases: number;
  readonly small: number;
  /** Merchants in each database. */
  readonly merchants: number;
  /** Days over which the purchases are spread. */
  readonly days: number;
  /** Rounds of each figure, and the length of one. */
  readonly rounds: number;
  readonly seconds: number;
  /** The folder of the databases, so that a stopped run can continue. */
  readonly dir: string | undefined;
  /** How long the roll-up may take to catch up; the gateways do the rest. */
  readonly patience: number;
  readonly json: boolean;
};

export const usage = `usage: npm run ten-million -- [options]

  --purchases N       purchases of the large database (default 10,000,000)
  --merchants N   merchants of each database (default 2,000)
  --small N       purchases of the small database (default 100,000)
  --days N        days over which purchases are spread (default 20)
  --rounds N      rounds of each figure (default 3)
  --seconds N     length of a round of purchases (default 30)
  --dir DIR       keep the databases there: a run that was stopped goes on
  --patience N    seconds for the roll-up to catch up (default 3,600)
  --json          print JSON instead of the table
`;

const numbers = {
  purchases: 10_000_000,
  merchants: 2_000,
  small: 100_000,
  days: 20,
  rounds: 3,
  seconds: 30,
  patience: 3_600,
};

/** Throws an error with a message for people. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      purchases: { type: 'string' },
      merchants: { type: 'string' },
      small: { type: 'string' },
      days: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      dir: { type: 'string' },
      patience: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const number = (name: keyof typeof numbers): number => {
    const text = values[name];
    if (text === undefined) return numbers[name];
    if (name === 'seconds' && Number(text) > 0 && Number(text) <= 600) return Number(text);
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${name} must be a whole number above 0`);
    return Number(text);
  };
  const { dir, json } = values;
  const read: Options = {
    purchases: number('purchases'),
    small: number('small'),
    merchants: number('merchants'),
    days: number('days'),
    rounds: number('rounds'),
    seconds: number('seconds'),
    patience: number('patience'),
    dir,
    json,
  };
  if (read.merchants < 10) throw new Error('--merchants must be at least 10');
  if (read.days > 29) throw new Error('--days must be at most 29: events are kept for 30');
  return read;
}
