/** Whether this process itself works: it has room, its jobs get on, and it is not stopping. */
import type { JobState } from '../../kernel/job.ts';
import { limits } from '../../kernel/limits.ts';
import type { VendingGauges } from '../../vending/path/vending-gauges.ts';
import { type HealthCheck, ok } from './health-check.ts';

type ProcessParts = {
  readonly role: 'api' | 'worker' | 'all';
  readonly isStopping: () => boolean;
  readonly gauges: () => Pick<VendingGauges, 'acceptQueue' | 'purchases'>;
  /** Jobs that have not ended well for too long. */
  readonly lateJobs: () => readonly Pick<JobState, 'name' | 'lastError'>[];
};

/** Without it a process that only works does nothing. */
const workerJob = 'vends';

export function processChecks({ role, isStopping, gauges, lateJobs }: ProcessParts): readonly HealthCheck[] {
  return [
    {
      name: 'process',
      isOfReadiness: true,
      look: () => (isStopping() ? { state: 'down', why: 'it is stopping' } : ok),
    },
    {
      name: 'queues',
      look: () => {
        const { acceptQueue, purchases } = gauges();
        const isFull =
          acceptQueue >= limits.acceptQueueMax || purchases.live >= limits.purchases.pools.live.places;
        return isFull ? { state: 'degraded', why: 'full: one more is refused' } : ok;
      },
    },
    {
      name: 'jobs',
      // What keeps a job from its work (a provider or a mail server that is away) would turn every
      // process away at once. So a late job is told, and is no reason to be down.
      look: () => {
        const late = lateJobs();
        if (late.length === 0) return ok;
        const state = role === 'worker' && late.some(({ name }) => name === workerJob) ? 'down' : 'degraded';
        return { state, why: `late: ${late.map(jobText).join(', ')}` };
      },
    },
  ];
}

/** `deposits (ECONNREFUSED)`, `deliveries`. */
function jobText({ name, lastError }: Pick<JobState, 'name' | 'lastError'>): string {
  return lastError === undefined ? name : `${name} (${lastError})`;
}
