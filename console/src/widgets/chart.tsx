/** Bar charts as pictures, each with the same data as an accessible table. */
import type { ReactNode } from 'react';
import styles from './chart.module.css';
import { type Column, DataTable } from './data-table.tsx';

export type Bar = {
  readonly name: string;
  /** One for each series. */
  readonly values: readonly number[];
};

export type Series = { readonly name: string; readonly text: (value: number) => ReactNode };

type ChartProps = {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly nameHead: string;
};

const HEIGHT = 160;
const WIDTH = 640;

/** Vertical stacked bars. */
export function Bars({ title, bars, series, nameHead }: ChartProps) {
  const highest = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const step = WIDTH / Math.max(bars.length, 1);
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 24}`} aria-hidden="true" className={styles.picture}>
        <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} className={styles.axis} />
        {bars.map(({ name, values }, index) => (
          <g key={name}>
            {values.map((value, place) => {
              const below = sum(values.slice(0, place));
              const height = (value / highest) * (HEIGHT - 8);
              return (
                <rect
                  key={series[place]?.name}
                  x={index * step + step * 0.14}
                  width={step * 0.72}
                  y={HEIGHT - (below / highest) * (HEIGHT - 8) - height}
                  height={height}
                  rx="2"
                  className={styles[`series${place + 1}`]}
                />
              );
            })}
            <text x={index * step + step / 2} y={HEIGHT + 18} className={styles.label}>
              {name}
            </text>
          </g>
        ))}
      </svg>
      <Legend series={series} />
      <Table title={title} bars={bars} series={series} nameHead={nameHead} />
    </figure>
  );
}

/** Horizontal bars of the first series, with the figures of all series. */
export function Shares({
  title,
  bars,
  series,
  nameHead,
}: {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The first is drawn. */
  readonly series: readonly Series[];
  readonly nameHead: string;
}) {
  const highest = Math.max(1, ...bars.map(({ values }) => values[0] ?? 0));
  return (
    <figure className={styles.chart}>
      <DataTable
        caption={title}
        rows={bars}
        keyOf={({ name }) => name}
        columns={[
          { head: nameHead, cell: ({ name }) => name },
          {
            head: 'Share',
            cell: ({ values }) => (
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={styles.share}>
                <rect width="100" height="8" rx="2" className={styles.track} />
                <rect
                  width={((values[0] ?? 0) / highest) * 100}
                  height="8"
                  rx="2"
                  className={styles.series1}
                />
              </svg>
            ),
          },
          ...figuresOf(series),
        ]}
      />
    </figure>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <figcaption className={styles.legend}>
      {series.map(({ name }, place) => (
        <span key={name}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" className={styles[`series${place + 1}`]} />
          </svg>
          {name}
        </span>
      ))}
    </figcaption>
  );
}

function Table({ title, bars, series, nameHead }: ChartProps) {
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      <DataTable
        caption={title}
        rows={bars}
        keyOf={({ name }) => name}
        columns={[{ head: nameHead, cell: ({ name }) => name }, ...figuresOf(series)]}
      />
    </details>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

/** A column of figures for each series. */
function figuresOf(series: readonly Series[]): Column<Bar>[] {
  return series.map(({ name, text }, place) => ({
    head: name,
    figures: true,
    cell: ({ values }) => text(values[place] ?? 0),
  }));
}
