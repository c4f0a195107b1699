/** The command line of `npm run pressure`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const rowNames = [
  ...['slow', 'sick', 'paced', 'locked', 'pages', 'snapshot'],
  ...['pictures', 'availability', 'polls', 'uploads', 'forgotten'],
  ...['processes', 'limits'],
] as const;
export type RowName = (typeof rowNames)[number];

export type Options = {
  readonly rows: readonly RowName[];
  /** Small counts and short times: they show that a row works, but say little about its limit. */
  readonly quick: boolean;
  /** Print JSON instead of the table. */
  readonly json: boolean;
  /** A checkout of another version, whose gateway is tested in the same way. */
  readonly beforeDir: string | undefined;
};

export const usage = `usage: npm run pressure -- [row…] [options]

rows: ${rowNames.join(', ')} (default: all)

  --quick        small counts, short times: shows that the rows work
  --before DIR   play the gateway of the checkout in DIR too, for the column "before"
  --json         print JSON instead of the table
`;

/** Throws an error with a message for people. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      before: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !isRowName(name));
  if (unknown !== undefined) throw new Error(`there is no row "${unknown}"`);
  return {
    rows: rowNames.filter((name) => positionals.length === 0 || positionals.includes(name)),
    quick: values.quick,
    json: values.json,
    beforeDir: values.before === undefined ? undefined : resolve(values.before),
  };
}

function isRowName(text: string): text is RowName {
  return (rowNames as readonly string[]).includes(text);
}
