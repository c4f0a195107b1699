/** Prints a run: a row for each kind of fault, and the result. */
import { quantile } from '../../bench/pressure/client.ts';
import type { Baseline } from './calm.ts';
import { faults } from './faults.ts';
import type { Verdict } from './judge.ts';
import { type FaultKind, faultKinds } from './options.ts';
import { CALM_MS, isLate, type Struck } from './run-faults.ts';

export type FaultRow = {
  readonly kind: FaultKind;
  readonly what: string;
  readonly count: number;
  readonly lasted: Spread;
  readonly calmAfter: Spread;
  /** How many had effects for longer than allowed. */
  readonly late: number;
};

/** In milliseconds. */
type Spread = { readonly median: number; readonly max: number };

const SHOWN_MAX = 30;

export function rowsOf(struck: readonly Struck[]): FaultRow[] {
  return faultKinds.flatMap((kind) => {
    const all = struck.filter((one) => one.kind === kind);
    if (all.length === 0) return [];
    return {
      kind,
      what: faults[kind].what,
      count: all.length,
      lasted: spreadOf(all.map(({ lastedMs }) => lastedMs)),
      calmAfter: spreadOf(all.map(({ calmAfterMs }) => calmAfterMs ?? Number.POSITIVE_INFINITY)),
      late: all.filter(isLate).length,
    };
  });
}

function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), max: quantile(values, 1) };
}

export function formatReport(rows: readonly FaultRow[], baseline: Baseline, verdict: Verdict): string {
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const head = [
    'Fault',
    'What is done',
    'Times',
    'It lasts, s',
    'Calm again after, s',
    `Over ${CALM_MS / 1_000} s`,
  ];
  const lines = rows.map(({ kind, what, count: times, lasted, calmAfter, late: over }) =>
    [kind, what, times, formatSpread(lasted), formatSpread(calmAfter), over].join(' | '),
  );
  const table = [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`);
  const { wrong } = verdict;
  return [
    ...table,
    '',
    `calm: ${baseline.perSecond.toFixed(0)} purchases a second, p99 ${baseline.p99Ms.toFixed(0)} ms; calm again is p99 up to ${baseline.boundMs.toFixed(0)} ms`,
    `faults: ${count}, of which ${late} were felt for more than ${CALM_MS / 1_000} s after their end`,
    `purchases: ${verdict.sent}, answered ${verdict.answers}`,
    `ended: ${verdict.ended}; the last was final ${formatS(verdict.finalAfterMs)} s after the last purchase`,
    wrong.length === 0 ? 'wrong: nothing' : `WRONG: ${wrong.length} things`,
    ...wrong.slice(0, SHOWN_MAX).map((one) => `  ${one}`),
  ].join('\n');
}

function formatSpread({ median, max }: Spread): string {
  return `${formatS(median)}, at most ${formatS(max)}`;
}

export function formatS(ms: number): string {
  return Number.isFinite(ms) ? (ms / 1_000).toFixed(1) : 'never';
}
