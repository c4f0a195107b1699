/** Time as a parameter, so that what depends on it can be repeated. */
export type Clock = {
  now(): Date;
  /** Milliseconds that only ever go up: for deadlines and latencies. */
  elapsedMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
};

const lagosOffsetMs = 3_600_000;

/** `2026-11-21T13:05:09.120+01:00`: RFC 3339 in Africa/Lagos, which has no daylight saving. */
export function formatRfc3339(at: Date): string {
  return `${new Date(at.getTime() + lagosOffsetMs).toISOString().slice(0, -1)}+01:00`;
}

/** `2026-11-21 13:05:09` in Africa/Lagos. */
export function formatLocal(at: Date): string {
  return new Date(at.getTime() + lagosOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}
