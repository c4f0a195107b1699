/** Prints a run: failures as they happen, then the slowest files and the counts. */
import { existsSync } from 'node:fs';
import { processorSecondsOf } from '../support/processes.ts';
import type { Layer } from './layers.ts';
import type { FileReport } from './reporter.ts';
import type { FileResult } from './run-files.ts';

const SLOWEST = 15;
const OUTPUT_LINES = 60;

export type Summary = {
  readonly layer: Layer;
  readonly results: readonly FileResult[];
  /** Second runs of the files that failed. */
  readonly alone: readonly FileResult[];
  readonly ms: number;
};

/** Prints a line for a file that passed, and the full report of one that failed. */
export function printResult({ file, failed, report, ms, output }: FileResult): void {
  if (!failed) {
    console.log(`ok     ${file} (${seconds(ms)}, processor ${processor(report)})`);
    return;
  }
  console.log(`\nFAILED ${file} (${seconds(ms)})`);
  if (report === undefined) console.log('  its process ended before the file had finished');
  for (const { title, error } of report?.failures ?? []) {
    console.log(`  ${title}\n${indent(error, '    ')}`);
  }
  const lines = output.trimEnd().split('\n').slice(-OUTPUT_LINES);
  if (output.trim() !== '') console.log(`  output:\n${indent(lines.join('\n'), '    ')}`);
}

/** Prints the end of a run and returns its exit code. */
export function printSummary({ layer, results, alone, ms }: Summary): number {
  const flaky = alone.filter(({ failed }) => !failed).map(({ file }) => file);
  const final = results.map((result) => alone.find(({ file }) => file === result.file) ?? result);
  const count = (pick: (result: FileResult) => number): number =>
    final.reduce((sum, result) => sum + pick(result), 0);
  const passed = count(({ report }) => report?.passed ?? 0);
  const failed = count(({ report }) => report?.failures.length ?? 1);
  const skipped = final.flatMap(({ report }) => report?.skipped ?? []);

  console.log(`\nSlowest files of ${results.length}, and their processor time:`);
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  for (const { file, ms: took, report } of slowest) {
    console.log(`  ${seconds(took).padStart(8)}  ${processor(report).padStart(8)}  ${file}`);
  }
  if (skipped.length > 0) {
    const reasons = [...new Set(skipped.map(({ title, reason }) => reason || title))].sort();
    console.log(`Skipped: ${reasons.join(', ')}`);
  }
  for (const file of flaky)
    console.log(`flaky: ${file} failed and passed when it ran again alone (outputs above)`);
  // Of the files, of PostgreSQL and of all else that the run started.
  const used = existsSync('/proc/self/stat')
    ? `, processor ${seconds(1_000 * processorSecondsOf(process.pid))}`
    : '';
  console.log(`${layer}: ${results.length} files in ${seconds(ms)}${used}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  return failed === 0 ? 0 : 1;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function processor(report: FileReport | undefined): string {
  return report === undefined ? '' : seconds(1_000 * report.processorSeconds);
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^/gm, by);
}
