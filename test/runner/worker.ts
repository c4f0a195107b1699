/**
 * A process that runs test files one after the other and keeps the modules it has loaded. It
 * receives a `FileOrder` and answers with a `FileReport` (reporter.ts). A file is imported within a
 * test of its own, so its hooks and tests are scoped to it.
 */
import { test } from 'node:test';
import '../support/budget.ts';
import { endSharing } from '../support/shared-by-files.ts';

/** The file to run next. */
export type FileOrder = {
  readonly path: string;
  /** Whether it uses the gateway that files share. An idle one takes a twentieth of a core. */
  readonly sharesGateway: boolean;
};

const real = [performance.now, setTimeout, setImmediate, Date];
let previous = 'no file';

process.on('message', ({ path, sharesGateway }: FileOrder) => {
  // A failure is reported by the reporter, as that of any other test.
  void test(path, async () => {
    requireRealTime();
    previous = path;
    if (!sharesGateway) await endSharing();
    return await import(path);
  });
});

/** Fails when a file left a clock or a timer mocked: the next one would wait for it forever. */
function requireRealTime(): void {
  const present = [performance.now, setTimeout, setImmediate, Date];
  if (present.some((one, place) => one !== real[place]))
    throw new Error(`${previous} left a clock or a timer mocked`);
}

process.on('disconnect', () => process.exit());
