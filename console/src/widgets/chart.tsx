/** Bar charts as pictures, each with the same data as an accessible table. */
import type { ReactNode } from 'react';
import { countText } from '../design/format.ts';
import styles from './chart.module.css';
import { type Column, DataTable } from './data-table.tsx';

export type Bar = {
  readonly name: string;
  /** One for each series. */
  readonly values: readonly number[];
  /** The sum of the values one period before, drawn as a line over the bar. */
  readonly before?: number | undefined;
};

export type Series = { readonly name: string; readonly text: (value: number) => ReactNode };

type ChartProps = {
  readonly title: string;
  /** The name of the values of the period before, such as "Last week". */
  readonly beforeName?: string | undefined;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly nameHead: string;
};

const HEIGHT = 160;
const WIDTH = 640;
/** For the figures of the axis. */
const LEFT = 64;
const TICKS = 4;

/** Vertical stacked bars. */
export function Bars({ title, bars, series, nameHead, beforeName }: ChartProps) {
  const highest = roundUp(
    Math.max(TICKS, ...bars.map(({ values, before = 0 }) => Math.max(sum(values), before))),
  );
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const yOf = (value: number) => HEIGHT - (value / highest) * (HEIGHT - 8);
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 -10 ${WIDTH} ${HEIGHT + 38}`} aria-hidden="true" className={styles.picture}>
        {Array.from({ length: TICKS + 1 }, (_, tick) => (highest / TICKS) * tick).map((value) => (
          <g key={value}>
            <line
              x1={LEFT}
              y1={yOf(value)}
              x2={WIDTH}
              y2={yOf(value)}
              className={value === 0 ? styles.axis : styles.grid}
            />
            <text x={LEFT - 8} y={yOf(value) + 4} className={styles.tick}>
              {countText(value)}
            </text>
          </g>
        ))}
        {bars.map(({ name, values, before }, index) => (
          <g key={name} className={styles.bar}>
            <title>{tipOf({ name, values, before }, series, beforeName)}</title>
            <rect x={LEFT + index * step} width={step} y="0" height={HEIGHT} className={styles.place} />
            {values.map((value, place) => {
              const below = sum(values.slice(0, place));
              const height = (value / highest) * (HEIGHT - 8);
              return (
                <rect
                  key={series[place]?.name}
                  x={LEFT + index * step + step * 0.14}
                  width={step * 0.72}
                  y={HEIGHT - (below / highest) * (HEIGHT - 8) - height}
                  height={height}
                  rx="2"
                  className={styles[`series${place + 1}`]}
                />
              );
            })}
            {before === undefined || before === 0 ? null : (
              <line
                x1={LEFT + index * step + step * 0.06}
                x2={LEFT + index * step + step * 0.94}
                y1={yOf(before)}
                y2={yOf(before)}
                className={styles.before}
              />
            )}
            <text x={LEFT + index * step + step / 2} y={HEIGHT + 22} className={styles.label}>
              {name}
            </text>
          </g>
        ))}
      </svg>
      <Legend series={series} beforeName={beforeName} />
      <Table title={title} bars={bars} series={series} nameHead={nameHead} beforeName={beforeName} />
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

/** Returns the next 4, 8, 20, 40, 80 …, so that the figures of the axis are round. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value / TICKS));
  const one = [1, 2, 5, 10].find((factor) => factor * power * TICKS >= value) ?? 10;
  return one * power * TICKS;
}

function tipOf(
  { name, values, before }: Bar,
  series: readonly Series[],
  beforeName: string | undefined,
): string {
  const lines = series.map((one, place) => `${one.name}: ${countText(values[place] ?? 0)}`);
  const last = before === undefined ? [] : [`${beforeName ?? 'Before'}: ${countText(before)}`];
  return [name, ...lines, ...last].join('\n');
}

function Legend({
  series,
  beforeName,
}: {
  readonly series: readonly Series[];
  readonly beforeName: string | undefined;
}) {
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
      {beforeName === undefined ? null : (
        <span>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <line x1="0" y1="5" x2="10" y2="5" className={styles.before} />
          </svg>
          {beforeName}
        </span>
      )}
    </figcaption>
  );
}

function Table({ title, bars, series, nameHead, beforeName }: ChartProps) {
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      <DataTable
        caption={title}
        rows={bars}
        keyOf={({ name }) => name}
        columns={[
          { head: nameHead, cell: ({ name }) => name },
          ...figuresOf(series),
          ...(beforeName === undefined
            ? []
            : [{ head: beforeName, figures: true, cell: ({ before = 0 }: Bar) => countText(before) }]),
        ]}
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
