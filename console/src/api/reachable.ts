/** The connection state of the gateway, as calls and live events report it. */
import { useSyncExternalStore } from 'react';

const PROBE_MS = 1_000;
/** A probe without an answer in this time counts as failed. */
const PROBE_TIMEOUT_MS = 2_000;

let isReachable = navigator.onLine;
let probe: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** After a failure the gateway is probed until it answers. */
export function reportReachable(isAnswered: boolean): void {
  if (isAnswered === isReachable) return;
  isReachable = isAnswered;
  clearInterval(probe);
  if (!isAnswered) probe = setInterval(() => void probeGateway(), PROBE_MS);
  for (const listener of listeners) listener();
}

/** Looks again, because an event stream also breaks when its session ends. */
export async function probeGateway(): Promise<void> {
  const isAnswered = await fetch('/oja.svg', {
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).then(
    () => true,
    () => false,
  );
  reportReachable(isAnswered);
}

addEventListener('offline', () => reportReachable(false));
addEventListener('online', () => void probeGateway());

export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isReachable,
  );
}
