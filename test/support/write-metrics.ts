/**
 * Writes the tables of metrics and background jobs in docs/operators/metrics.md from the code:
 * `npm run metrics`. A test compares the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofInstallation } from '../../src/app/collected-metrics.ts';
import { connectionBounds } from '../../src/app/connection-bounds.ts';
import { listJobs } from '../../src/app/jobs.ts';
import { createMetrics } from '../../src/app/metrics.ts';
import { replaceWritten } from './replace-written.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'metrics.md');

export function readMetricsPage(): string {
  return readFileSync(page, 'utf8');
}

/** The page with current tables. */
export function withMetrics(text: string): string {
  const metrics = replaceWritten(text, 'metrics', metricsTable());
  return replaceWritten(metrics, 'jobs', jobsTable());
}

type Described = { readonly name: string; readonly help: string; readonly labelNames?: readonly string[] };

/** Everything that a gateway exports, except the metrics of Node.js. No value is read. */
function listMetrics(): Described[] {
  const { registry, watch, watchHealth } = createMetrics();
  watch({} as Parameters<typeof watch>[0]);
  watchHealth(() => Promise.reject(new Error('nothing is read here')));
  connectionBounds({ trustedProxies: [] }, registry, { warn: () => undefined });
  const all = registry.getMetricsAsArray() as unknown as readonly Described[];
  return all.filter(({ name }) => name.startsWith('oja_'));
}

function metricsTable(): string {
  const rows = listMetrics().map(({ name, help, labelNames = [] }) => {
    const isShared = help.endsWith(ofInstallation);
    const meaning = help.replace(` ${ofInstallation}`, '');
    return `| \`${name}\` | ${labelNames.join(', ')} | ${isShared ? '*max* ' : ''}${meaning} |`;
  });
  return ['| Metric | Labels | Meaning |', '|---|---|---|', ...rows.toSorted()].join('\n');
}

/** None of it is run. */
const parts = { purchases: {}, funding: {}, fundingSweepMs: 300_000, drainMs: 70_000 };
const roles = { all: 'all', worker: 'worker', api: 'api' } as const;

function jobsTable(): string {
  const rows = listJobs(parts as unknown as Parameters<typeof listJobs>[0]).map(
    ({ name, role, everyMs, failure, ...job }) => {
      const idle = 'idleMs' in job ? `, idle ${intervalOf(job.idleMs)}` : '';
      return `| \`${name}\` | ${roles[role]} | ${intervalOf(everyMs)}${idle} | ${failure} |`;
    },
  );
  return ['| Job | Role | Every | When it fails |', '|---|---|---|---|', ...rows].join('\n');
}

function intervalOf(ms: number): string {
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1_000} s`;
}

if (import.meta.main) writeFileSync(page, withMetrics(readMetricsPage()));
