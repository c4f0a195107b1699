/** How long to wait before a repetition. */

const firstMs = 500;
const longestMs = 8_000;
/** A longer Retry-After is reported to the caller instead of awaited here. */
export const longestRetryAfterMs = 60_000;

/**
 * The wait doubles each time and is random between half of it and all of it, so that many clients
 * do not return at the same moment. The gateway's own wait is the minimum.
 */
export function delayBefore(repetition: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs * (1 + Math.random() / 4);
  return Math.min(longestMs, firstMs * 2 ** repetition) * (0.5 + Math.random() / 2);
}

/** Seconds, or a date. Anything else is ignored. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const give = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give);
      resolve();
    }, ms);
    signal?.addEventListener('abort', give, { once: true });
  });
}
