/**
 * The table of `npm run proof`. docs/proof.md shows the last run of each item: a run replaces the
 * rows of the items that it ran and keeps the others.
 */

export type Row = {
  readonly name: string;
  readonly command: string;
  /** Undefined if the item was skipped. */
  readonly seconds: number | undefined;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What a run found, the end of its output when it failed, or why it was skipped. */
  readonly found: string;
};

/** The day, and the version that ran. */
export type Run = { readonly day: string; readonly version: string };

const FOUND_MAX = 400;

const begin = '<!-- proof runs: written by npm run proof -->';
const end = '<!-- end of proof runs -->';
const head = [
  '| Item | Command | Ran on | Version | Took | Result | Found |',
  '|---|---|---|---|---|---|---|',
];

export function formatTable(rows: readonly Row[], run: Run): string {
  return [...head, ...rows.map((row) => formatRow(row, run))].join('\n');
}

function formatRow({ name, command, seconds, result, found }: Row, { day, version }: Run): string {
  const took = seconds === undefined ? '' : formatDuration(seconds);
  return `| ${[name, `\`${command}\``, day, version, took, result, asCell(found)].join(' | ')} |`;
}

function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Output may contain anything. A table cell contains no line break, column, link, code or tag. */
function asCell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const short = line.length <= FOUND_MAX ? line : `${line.slice(0, FOUND_MAX)}…`;
  return short.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('](', '] (');
}

/**
 * Returns the document with the rows of this run in its table, in the order of `names`. A row of
 * another item stays; a skipped item keeps the row of an earlier run. Throws where the document
 * lacks the markers.
 */
export function replaceTable(
  document: string,
  rows: readonly Row[],
  run: Run,
  names: readonly string[],
): string {
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`the document lacks "${begin}" or "${end}"`);
  const earlier = rowsByName(document.slice(start, stop));
  const lines = names.flatMap((name) => {
    const row = rows.find((one) => one.name === name);
    const before = earlier.get(name);
    if (row === undefined || (row.result === 'skipped' && before !== undefined)) return before ?? [];
    return formatRow(row, run);
  });
  return `${document.slice(0, start)}${begin}\n\n${[...head, ...lines].join('\n')}\n\n${document.slice(stop)}`;
}

function rowsByName(section: string): ReadonlyMap<string, string> {
  const lines = [...section.matchAll(/^\| (\S+) \|.*$/gm)];
  return new Map(lines.map(([line, name = '']) => [name, line]));
}
