/** Counts the answers of a run. */
import { NoAnswer, type RawAnswer } from './client.ts';
import type { FuzzRequest } from './requests.ts';
import { type Edge, edges, type Target } from './targets.ts';

export type Tally = {
  sent: number;
  /** By API and status. */
  readonly statuses: Readonly<Record<Edge, Record<string, number>>>;
  /** Response times of an API in milliseconds, over all answers. */
  readonly waitedMs: Record<Edge, number>;
  /** The reasons of 503, with their number. */
  readonly unavailable: Map<string, number>;
  /** Routes and operations. */
  readonly targets: ReadonlySet<string>;
  /** The requests that succeeded, with their number. */
  readonly served: Map<string, number>;
  count(request: FuzzRequest, answer: RawAnswer | NoAnswer, tookMs: number): void;
};

/** One line of the report. In a short run an API may have no answer. */
export function answersText(
  { statuses, waitedMs }: Pick<Tally, 'statuses' | 'waitedMs'>,
  edge: Edge,
): string {
  const count = Object.values(statuses[edge]).reduce((sum, one) => sum + one, 0);
  if (count === 0) return `${edge}: no answers`;
  return `${edge}: ${JSON.stringify(statuses[edge])}, ${(waitedMs[edge] / count).toFixed(1)} ms each`;
}

export function createTally(targets: readonly Target[]): Tally {
  const perEdge = <Value>(make: () => Value): Record<Edge, Value> =>
    Object.fromEntries(edges.map((edge) => [edge, make()])) as Record<Edge, Value>;
  const more = (counts: Map<string, number>, name: string): void =>
    void counts.set(name, (counts.get(name) ?? 0) + 1);
  const tally: Tally = {
    sent: 0,
    statuses: perEdge(() => ({})),
    waitedMs: perEdge(() => 0),
    unavailable: new Map(),
    targets: new Set(targets.map(({ edge, method, path }) => `${edge} ${method} ${path}`)),
    served: new Map(),
    count: ({ edge, what }, answer, tookMs) => {
      tally.sent += 1;
      tally.waitedMs[edge] += tookMs;
      if (answer instanceof NoAnswer) return;
      const counts = tally.statuses[edge];
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      if (answer.status < 300) more(tally.served, what);
      if (answer.status === 503) more(tally.unavailable, `${what}: ${answer.body.toString('utf8', 0, 160)}`);
    },
  };
  return tally;
}
