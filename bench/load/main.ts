/**
 * The load generator's process: runs the jobs it receives, one at a time, and returns the result of
 * each.
 */
import type { LoadJob } from './job.ts';
import { runJob } from './run-job.ts';

process.on('message', (job: LoadJob) => {
  runJob(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
// The parent process is gone.
process.on('disconnect', () => process.exit());
