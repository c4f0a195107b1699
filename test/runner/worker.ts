/**
 * A process that runs test files one after the other and keeps the modules it has loaded. It
 * receives the path of a file and answers with a `FileReport` (reporter.ts). A file is imported
 * within a test of its own, so its hooks and tests are scoped to it.
 */
import { test } from 'node:test';
import '../support/budget.ts';

process.on('message', (path: string) => {
  // A failure is reported by the reporter, as that of any other test.
  void test(path, () => import(path));
});

process.on('disconnect', () => process.exit());
