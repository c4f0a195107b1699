/** The table of the tasks, which lab/console-tasks/README.md shows. */
import { type Effort, sum } from './hand.ts';
import type { Task } from './play.ts';

export type Played = Effort | 'failed';

/** The last figures of each task by its name: in 0.2, with the pointer, and by keyboard only. */
export type Figures = { [Column in 'before' | 'pointer' | 'keyboard']: Readonly<Record<string, Played>> };

export type Row = {
  readonly name: string;
  /** In version 0.2. Undefined if it was not played. */
  readonly before: Played | 'none' | undefined;
  readonly pointer: Played | undefined;
  readonly keyboard: Played | undefined;
};

export function rowsOf(tasks: readonly Pick<Task, 'name' | 'before'>[], figures: Figures): Row[] {
  return tasks.map(({ name, before }) => ({
    name,
    before: before === 'none' ? before : figures.before[name],
    pointer: figures.pointer[name],
    keyboard: figures.keyboard[name],
  }));
}

const SHARE_MAX = 0.6;
const begin = '<!-- tasks: written by npm run console-tasks -->';
const end = '<!-- end of tasks -->';
const head = [
  '| Task | Clicks, 0.2 | Clicks | Keys, 0.2 | Keys | Fields | Seconds, 0.2 | Seconds | Keys, keyboard only |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
];

export function formatTable(rows: readonly Row[]): string {
  const { before, now } = sumsOf(rows);
  const total = row('**Sum of tasks that 0.2 has**', before, now, undefined);
  return [...head, ...rows.map((one) => row(one.name, one.before, one.pointer, one.keyboard)), total].join(
    '\n',
  );
}

function row(name: string, before: Row['before'], now: Row['pointer'], keyboard: Row['keyboard']): string {
  const cell = (played: Row['before'] | Played, value: (effort: Effort) => number): string => {
    if (played === 'none') return 'not possible';
    if (played === 'failed') return '**failed**';
    return played === undefined ? '' : `${Math.round(value(played))}`;
  };
  const cells = [
    cell(before, ({ clicks }) => clicks),
    cell(now, ({ clicks }) => clicks),
    cell(before, ({ keys }) => keys),
    cell(now, ({ keys }) => keys),
    cell(now, ({ fields }) => fields),
    cell(before, ({ seconds }) => seconds),
    cell(now, ({ seconds }) => seconds),
    cell(keyboard, ({ keys }) => keys),
  ];
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** The sums of the tasks that both versions can do. */
function sumsOf(rows: readonly Row[]): { readonly before: Effort; readonly now: Effort } {
  const both = rows.flatMap(({ before, pointer }) =>
    typeof before === 'object' && typeof pointer === 'object' ? [{ before, pointer }] : [],
  );
  return { before: sum(both.map(({ before }) => before)), now: sum(both.map(({ pointer }) => pointer)) };
}

export function missedGoals(rows: readonly Row[]): string[] {
  const { before, now } = sumsOf(rows);
  const share = before.clicks === 0 ? 0 : now.clicks / before.clicks;
  const failed = rows.filter(({ pointer, keyboard }) => [pointer, keyboard].some(isNoEffort));
  return [
    ...failed.map(({ name }) => `${name} cannot be done`),
    ...(share > SHARE_MAX ? [`${Math.round(100 * share)} % of the clicks of 0.2, at most 60 %`] : []),
  ];
}

function isNoEffort(played: Played | undefined): boolean {
  return played === undefined || played === 'failed';
}

/** Returns the document with the rows in its table. Throws where the document lacks the markers. */
export function replaceTable(document: string, rows: readonly Row[]): string {
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start === -1 || stop === -1) throw new Error(`the document lacks ${begin} or ${end}`);
  return `${document.slice(0, start)}${begin}\n${formatTable(rows)}\n${document.slice(stop)}`;
}
