/**
 * Server-sent events of the gateway: counts, providers, floats, alarms, approvals. They are stored
 * as queries, and the lists that an event is about are read again.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Output } from './operations.ts';

const liveEvents = ['counts', 'providers', 'floats', 'alarms', 'tasks', 'approvals'] as const;
type LiveEvent = (typeof liveEvents)[number];

const readAgain: Readonly<Record<LiveEvent, readonly string[]>> = {
  counts: ['purchase.pending'],
  providers: ['provider.list'],
  floats: ['float.list'],
  alarms: ['alarm.list'],
  tasks: ['task.list', 'task.show'],
  // The event has no count of one person: each asks for their own.
  approvals: ['approval.count', 'approval.list', 'approval.show'],
};

/** Gives what ends it. */
export function followLive(queries: QueryClient): () => void {
  const source = new EventSource('/api/live');
  for (const event of liveEvents) {
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      const before = queries.getQueryData(['live', event]);
      queries.setQueryData(['live', event], JSON.parse(data) as unknown);
      if (before === undefined) return;
      for (const name of readAgain[event]) void queries.invalidateQueries({ queryKey: [name] });
    });
  }
  // Whoever is told so asks for the session, which leads to the sign-in page.
  source.addEventListener('signed_out', () => {
    source.close();
    void queries.invalidateQueries({ queryKey: ['session'] });
  });
  return () => source.close();
}

/** Undefined until it is told. */
function useLive<Told>(event: LiveEvent): Told | undefined {
  const { data } = useQuery<Told>({ queryKey: ['live', event], enabled: false });
  return data;
}

type Counts = Output<'work.count'>;

/** What waits for people, as the gateway told last. */
export function useCounts(): Counts | undefined {
  return useLive<Counts>('counts');
}

export function pendingIn({ pending }: Counts): number {
  return pending.reduce((all, { count }) => all + count, 0);
}
