/**
 * Follows the gateway's server-sent events: counts, providers, floats, alarms, tasks and approvals.
 * Stores them as queries, and refreshes the lists that an event concerns.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Output } from './operations.ts';
import { probeGateway, reportReachable } from './reachable.ts';

const liveEvents = ['counts', 'providers', 'floats', 'alarms', 'tasks', 'approvals'] as const;
type LiveEvent = (typeof liveEvents)[number];

const listsOf: Readonly<Record<LiveEvent, readonly string[]>> = {
  counts: ['purchase.pending'],
  providers: ['provider.list'],
  floats: ['float.list'],
  alarms: ['alarm.list'],
  tasks: ['task.list', 'task.show'],
  // The count differs for each user, so the event does not contain it.
  approvals: ['approval.count', 'approval.list', 'approval.show'],
};

/** Starts following. Returns the function that stops it. */
export function followLive(queries: QueryClient): () => void {
  const source = new EventSource('/api/live');
  for (const event of liveEvents) {
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      const before = queries.getQueryData(['live', event]);
      queries.setQueryData(['live', event], JSON.parse(data) as unknown);
      if (before === undefined) return;
      for (const name of listsOf[event]) void queries.invalidateQueries({ queryKey: [name] });
    });
  }
  source.addEventListener('open', () => reportReachable(true));
  source.addEventListener('error', () => void probeGateway());
  // Reading the session leads to the sign-in page.
  source.addEventListener('signed_out', () => {
    source.close();
    void queries.invalidateQueries({ queryKey: ['session'] });
  });
  return () => source.close();
}

/** Returns the last data of an event. Undefined before the first. */
function useLive<Data>(event: LiveEvent): Data | undefined {
  const { data } = useQuery<Data>({ queryKey: ['live', event], enabled: false });
  return data;
}

type Counts = Output<'work.count'>;

/** Returns the last counts of items that need attention. */
export function useCounts(): Counts | undefined {
  return useLive<Counts>('counts');
}
