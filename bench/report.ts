/** Prints a run, and writes it to `bench/results.md`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultRow } from './results.ts';

const resultsPath = join(import.meta.dirname, 'results.md');

const preface = `# Benchmark results

Written by \`npm run bench\`; docs/maintainers/benchmarks.md describes each row. Gateway, PostgreSQL
and load generator share one machine, and machines are noisy: compare the figures of one run with
each other, never those of two. A figure is the median of its rounds. Figures that are compared have
alternating rounds.
`;

export function formatReport(rows: readonly Omit<ResultRow, 'scenario'>[]): string {
  const cells = rows.map((row) => [row.name, row.figure, row.range, row.goal, verdictOf(row), errorsOf(row)]);
  const table = [['Measurement', 'Median', 'Rounds', 'Goal and figure', 'Met', 'Errors'], ...cells];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((line) => (line[column] ?? '').length)),
  );
  const format = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [format(head), rule, ...body.map(format)].join('\n');
}

export async function writeReport(
  facts: Readonly<Record<string, string>>,
  rows: readonly ResultRow[],
): Promise<string> {
  const machine = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
  await writeFile(resultsPath, `${preface}\n${machine.join('\n')}\n\n${formatReport(rows)}\n`);
  return resultsPath;
}

function verdictOf({ met }: Pick<ResultRow, 'met'>): string {
  return met === undefined ? '' : met ? 'yes' : 'NO';
}

function errorsOf({ errors }: Pick<ResultRow, 'errors'>): string {
  return Object.entries(errors)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join('; ');
}
