/** A chart of horizontal bars, each with its name above it and its value at its end. Pure. */
import { formatMark, frame, inner, lineFrom, marksUpTo, round, textAt, wrapSvg } from './svg.ts';

export type BarChart = {
  readonly title: string;
  readonly note: string;
  readonly across: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
};

/** The fraction of a bar's height that the bar itself takes. Its name takes the rest. */
const THICKNESS = 0.4;
const WORDS = 18;
/** For the value to the right of the longest bar. */
const VALUE_WIDTH = 40;

export function drawBars({ title, note, across, bars }: BarChart): string {
  const marks = marksUpTo(Math.max(0, ...bars.map(({ value }) => value)));
  const most = marks.at(-1) ?? 1;
  const widthOf = (value: number): number => (value / most) * (inner.width - VALUE_WIDTH);
  const room = inner.height / Math.max(1, bars.length);
  const bottom = frame.top + inner.height;
  const first = bars[0]?.value ?? 0;
  return wrapSvg({ title, note }, [
    ...marks.flatMap((mark) => {
      const x = frame.left + widthOf(mark);
      return [
        lineFrom(x, frame.top, x, bottom, mark === 0 ? 'axis' : 'grid'),
        textAt(x, bottom + 16, formatMark(mark), 'mark', 'middle'),
      ];
    }),
    textAt(frame.left + inner.width, bottom + 34, across, 'note', 'end'),
    ...bars.flatMap(({ name, value }, index) => {
      const top = frame.top + room * index + WORDS;
      const share = index === 0 || first === 0 ? '' : ` (${(value / first).toFixed(2)}×)`;
      return [
        textAt(frame.left + 4, top - 4, name),
        `<rect class="s${index === 0 ? 0 : 1}" x="${frame.left}" y="${round(top)}" width="${round(widthOf(value))}" height="${round(room * THICKNESS)}"/>`,
        textAt(frame.left + widthOf(value) + 6, top + room * THICKNESS - 4, `${formatMark(value)}${share}`),
      ];
    }),
  ]);
}
