/** The reporter of a worker: sends a `FileReport` to the coordinator when a file has ended. */
import { existsSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { processorSecondsOf } from '../support/processes.ts';

/** The result of one file. */
export type FileReport = {
  readonly passed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly failures: readonly { readonly title: string; readonly error: string }[];
  /** Resident memory of the worker after the file, in bytes. */
  readonly residentBytes: number;
  /**
   * Processor seconds of the worker and of the processes that it started, during the file. Without
   * the shared PostgreSQL; 0 where the system has no `/proc`.
   */
  readonly processorSeconds: number;
};

type Draft = { -readonly [Key in keyof FileReport]: FileReport[Key] extends number ? number : unknown[] };

// biome-ignore lint/style/noDefaultExport: Node.js takes the default export of a reporter
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let titles: string[] = [];
  let draft = emptyDraft();
  let before = 0;
  for await (const { type, data } of events) {
    if (type === 'test:start') titles = [...titles.slice(0, data.nesting), data.name];
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // The outermost test is the file (worker.ts). Its tests need not repeat it.
    const title = [...titles.slice(1, data.nesting), data.name].join(' › ');
    const isContainer = data.nesting === 0 || data.details.type === 'suite';
    if (data.skip !== undefined) draft.skipped.push({ title, reason: String(data.skip) });
    else if (type === 'test:pass') draft.passed += isContainer ? 0 : 1;
    // A parent that failed only because of a nested test is not counted.
    else if (Reflect.get(data.details.error, 'failureType') !== 'subtestsFailed') {
      const { error } = data.details;
      draft.failures.push({ title, error: inspect(error.cause ?? error) });
    }
    if (data.nesting === 0) {
      const until = existsSync('/proc/self/stat') ? processorSecondsOf(process.pid) : 0;
      const residentBytes = process.memoryUsage.rss();
      process.send?.({ ...draft, residentBytes, processorSeconds: until - before });
      before = until;
      draft = emptyDraft();
    }
  }
  yield '';
}

function emptyDraft(): Draft {
  return { passed: 0, skipped: [], failures: [], residentBytes: 0, processorSeconds: 0 };
}
