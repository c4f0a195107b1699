/** How fast a provider had to deliver, by its own books. */
import type { Delivery } from './simulator.ts';

const SECOND_MS = 1_000;
/**
 * Evenly spaced orders arrive closer together after a process was paused this long, as on a loaded
 * machine.
 */
const JITTER_MS = 100;

/** The most deliveries within any time of this length. */
export function mostWithin(deliveries: readonly Delivery[], ms = SECOND_MS - JITTER_MS): number {
  const times = timesOf(deliveries);
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[first] ?? time) >= ms) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** The mean rate, from the first delivery to the last. */
export function perSecond(deliveries: readonly Delivery[]): number {
  const times = timesOf(deliveries);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / SECOND_MS;
  return seconds > 0 ? (times.length - 1) / seconds : 0;
}

function timesOf(deliveries: readonly Delivery[]): number[] {
  return deliveries.map((delivery) => Date.parse(delivery.delivered_at)).sort((a, b) => a - b);
}
