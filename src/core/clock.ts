/**
 * Time as a parameter, so that tests can repeat what depends on it; and days and times of Lagos.
 */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds that only ever go up, also while the machine sleeps: for deadlines, leases, ages
   * and latencies.
   */
  elapsedMs(): number;
};

/**
 * The two clocks of a machine. The wall clock can be set, forward and back. The steady one cannot,
 * and stands still while the machine sleeps.
 */
export type MachineClocks = { wallMs(): number; steadyMs(): number };

/** What the wall clock gains on the steady one within this is the two running unevenly. */
const SLEPT_MIN_MS = 500;

/**
 * A machine that slept and a wall clock that was set forward look alike: both count as time that
 * went by. So what is too old is never taken for fresh.
 */
export function createClock(machine: MachineClocks): Clock {
  let wallBeforeMs = machine.wallMs();
  let steadyBeforeMs = machine.steadyMs();
  let sleptMs = 0;
  return {
    now: () => new Date(machine.wallMs()),
    elapsedMs: () => {
      const wallMs = machine.wallMs();
      const steadyMs = machine.steadyMs();
      const gainedMs = wallMs - wallBeforeMs - (steadyMs - steadyBeforeMs);
      if (gainedMs > SLEPT_MIN_MS) sleptMs += gainedMs;
      wallBeforeMs = wallMs;
      steadyBeforeMs = steadyMs;
      return steadyMs + sleptMs;
    },
  };
}

export const systemClock: Clock = createClock({
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
});

/**
 * Options of an `LRUCache` whose entries expire by `clock`. The cache reads the clock at each
 * access: no timer runs. The clock must be above 0, which the cache takes for an entry that does
 * not expire.
 */
export function ageBy(clock: Pick<Clock, 'elapsedMs'>): {
  readonly ttlResolution: 0;
  readonly perf: { now(): number };
} {
  return { ttlResolution: 0, perf: { now: () => clock.elapsedMs() } };
}

const lagosOffsetMs = 3_600_000;

/** `2026-11-21T13:05:09.120+01:00`: RFC 3339 in Africa/Lagos, which has no daylight saving. */
export function formatRfc3339(at: Date): string {
  return `${new Date(at.getTime() + lagosOffsetMs).toISOString().slice(0, -1)}+01:00`;
}

/** `2026-11-21 13:05:09` in Africa/Lagos. */
export function formatLocal(at: Date): string {
  return new Date(at.getTime() + lagosOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

const dayMs = 86_400_000;

/**
 * The first moment of a day in Africa/Lagos, from `2026-11-21`; undefined for a text that is no day
 * of the calendar.
 */
export function parseDay(text: string): Date | undefined {
  if (!/^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text)) return undefined;
  const midnight = Date.parse(`${text}T00:00:00Z`);
  // JavaScript carries surplus days into the next month: 31 April would be 1 May.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(text)) return undefined;
  return new Date(midnight - lagosOffsetMs);
}

/** The first moment of the day after, in Africa/Lagos. */
export function nextDay(day: Date): Date {
  return new Date(day.getTime() + dayMs);
}

/** `2026-11-21`: the day in Africa/Lagos. */
export function formatDay(at: Date): string {
  return formatLocal(at).slice(0, 10);
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: dayMs };
const DURATION_DAYS_MAX = 3_650;

/**
 * `90s`, `15m`, `24h` or `30d`, at most ten years, in milliseconds; undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,7})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  return ms <= DURATION_DAYS_MAX * dayMs ? ms : undefined;
}
