/** A chart of lines over a scale: each series with its points, its name and last value. Pure. */
import { COLOURS, formatMark, frame, inner, lineFrom, marksUpTo, round, textAt, wrapSvg } from './svg.ts';

export type LineChart = {
  readonly title: string;
  readonly note: string;
  readonly across: string;
  readonly up: string;
  readonly series: readonly Series[];
};

const LABEL_HEIGHT = 15;

type Series = { readonly series: string; readonly points: readonly (readonly [x: number, y: number])[] };

export function drawLines({ title, note, across, up, series }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  const acrossMarks = marksUpTo(Math.max(0, ...points.map(([x]) => x)));
  const upMarks = marksUpTo(Math.max(0, ...points.map(([, y]) => y)));
  const xOf = (x: number): number => frame.left + (x / (acrossMarks.at(-1) ?? 1)) * inner.width;
  const yOf = (y: number): number => frame.top + inner.height - (y / (upMarks.at(-1) ?? 1)) * inner.height;
  const bottom = frame.top + inner.height;
  const labels = labelHeights(series.map(({ points }) => yOf(lastOf(points)[1])));
  return wrapSvg({ title, note }, [
    ...upMarks.flatMap((mark) => [
      lineFrom(frame.left, yOf(mark), frame.left + inner.width, yOf(mark), mark === 0 ? 'axis' : 'grid'),
      textAt(frame.left - 8, yOf(mark) + 4, formatMark(mark), 'mark', 'end'),
    ]),
    ...acrossMarks.map((mark) => textAt(xOf(mark), bottom + 16, formatMark(mark), 'mark', 'middle')),
    textAt(frame.left, frame.top - 8, up, 'note'),
    textAt(frame.left + inner.width, bottom + 34, across, 'note', 'end'),
    ...series.flatMap((one, index) => [
      ...drawSeries(one, index, xOf, yOf),
      labelOf(one, index, xOf, labels[index] ?? 0),
    ]),
  ]);
}

function drawSeries(
  { series: name, points: unsorted }: Series,
  index: number,
  xOf: (x: number) => number,
  yOf: (y: number) => number,
): string[] {
  const colour = `s${index % COLOURS}`;
  const points = inOrder(unsorted);
  const path = points.map(([x, y]) => `${round(xOf(x))},${round(yOf(y))}`).join(' ');
  return [
    `<polyline class="line ${colour}" points="${path}"/>`,
    ...points.map(
      ([x, y]) =>
        `<circle class="${colour}" cx="${round(xOf(x))}" cy="${round(yOf(y))}" r="3"><title>${name}: ${formatMark(x)}, ${formatMark(y)}</title></circle>`,
    ),
  ];
}

/** To the right of the last point: the name of the series and the value of that point. */
function labelOf({ series, points }: Series, index: number, xOf: (x: number) => number, y: number): string {
  const [x, value] = lastOf(points);
  return textAt(xOf(x) + 8, y + 4, `${series}: ${formatMark(value)}`, `s${index % COLOURS}`);
}

/** The positions of labels: next to their points, or below another label. */
function labelHeights(heights: readonly number[]): number[] {
  const placed: number[] = heights.map(() => 0);
  let free = Number.NEGATIVE_INFINITY;
  for (const [index, height] of [...heights.entries()].sort(([, one], [, other]) => one - other)) {
    placed[index] = Math.max(height, free);
    free = (placed[index] ?? 0) + LABEL_HEIGHT;
  }
  return placed;
}

function lastOf(points: Series['points']): readonly [number, number] {
  return inOrder(points).at(-1) ?? [0, 0];
}

function inOrder(points: Series['points']): Series['points'] {
  return points.toSorted(([one], [other]) => one - other);
}
