/** The figures of the charts, as a run stores them in `docs/bench/figures.json`. */
import type { ResultRow } from '../results.ts';
import { drawBars } from './draw-bars.ts';
import { drawLines } from './draw-lines.ts';

const chartNames = ['latency-against-load', 'rate-against-history', 'rate-under-pressure'] as const;
export type ChartName = (typeof chartNames)[number];

/**
 * One series of a chart: a line of points, or a bar, whose value is the second number of its only
 * point.
 */
export type Drawn = {
  readonly chart: ChartName;
  readonly series: string;
  readonly points: readonly (readonly [x: number, y: number])[];
};

type Figure = { readonly note: string; readonly series: readonly Omit<Drawn, 'chart'>[] };

export type Figures = Partial<Readonly<Record<ChartName, Figure>>>;

/** Merges the charts of a run into the stored ones; a chart that it did not measure stays. */
export function addFigures(stored: Figures, rows: readonly ResultRow[], note: string): Figures {
  const drawn = rows.flatMap((row) => row.drawn ?? []);
  const measured = chartNames.flatMap((chart): [ChartName, Figure][] => {
    const series = drawn.filter((one) => one.chart === chart).map(({ chart: _, ...one }) => one);
    return series.length === 0 ? [] : [[chart, { note, series }]];
  });
  return { ...stored, ...Object.fromEntries(measured) };
}

/** Draws each chart as an SVG document. */
export function drawFigures(figures: Figures): [ChartName, string][] {
  return chartNames.flatMap((chart): [ChartName, string][] => {
    const figure = figures[chart];
    return figure === undefined ? [] : [[chart, draw(chart, figure)]];
  });
}

function draw(chart: ChartName, { note, series }: Figure): string {
  const words = { note, series };
  switch (chart) {
    case 'latency-against-load':
      return drawLines({
        ...words,
        title: 'Latency against load: sync airtime on one wallet',
        across: 'purchases a second, on a schedule',
        up: 'milliseconds',
      });
    case 'rate-against-history':
      return drawLines({
        ...words,
        title: 'Rate against history: sync airtime on one wallet',
        across: 'purchases in the database',
        up: 'purchases a second',
      });
    case 'rate-under-pressure':
      return drawBars({
        note,
        title: 'Rate under pressure: sync airtime on one wallet',
        across: 'purchases a second',
        bars: series.map(({ series: name, points }) => ({ name, value: points[0]?.[1] ?? 0 })),
      });
  }
}
