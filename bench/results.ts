/** The result of a scenario: rows of one table. */
import type { Drawn } from './charts/figures.ts';
import type { LoadResult } from './load/job.ts';
import type { ScenarioName } from './options.ts';

export type ResultRow = {
  readonly scenario: ScenarioName;
  readonly name: string;
  /** The median of the rounds, with its unit. */
  readonly figure: string;
  /** The lowest and the highest round. Empty if there is only one. */
  readonly range: string;
  /** The target and its figure; empty without a target. */
  readonly goal: string;
  /** Whether the target is met; undefined without one. */
  readonly met: boolean | undefined;
  /** Successful answers, and all others by their failure. */
  readonly good: number;
  readonly errors: Readonly<Record<string, number>>;
  /** Its part of the charts. */
  readonly drawn?: readonly Drawn[];
};

/** The counts that all loads share. */
export function countAnswers(results: readonly LoadResult[]): Pick<ResultRow, 'good' | 'errors'> {
  const errors: Record<string, number> = {};
  let good = 0;
  for (const result of results) {
    good += result.good;
    for (const [kind, count] of Object.entries(result.errors)) errors[kind] = (errors[kind] ?? 0) + count;
  }
  return { good, errors };
}

/** Figures of a run in which anything failed, or nothing happened, are not valid. */
export function hasFailed(rows: readonly Pick<ResultRow, 'good' | 'errors'>[]): boolean {
  return rows.length === 0 || rows.some((row) => row.good === 0 || Object.keys(row.errors).length > 0);
}

export function ratePerS(result: { readonly good: number; readonly seconds: number }): number {
  return result.seconds > 0 ? result.good / result.seconds : 0;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export function rangeOf(values: readonly number[], format: (value: number) => string): string {
  return values.length > 1 ? `${format(Math.min(...values))} – ${format(Math.max(...values))}` : '';
}

export function formatRate(perS: number): string {
  return `${Math.round(perS).toLocaleString('en')}/s`;
}

export function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`;
}

export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

export function formatMb(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
