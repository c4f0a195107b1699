/** How long a property is tried. */

/**
 * Runs of a property until so much time has passed; those after it do nothing. A run that has begun
 * is never cut short: what goes on of it would move money beside the next test, and a machine that
 * is slow for its first run would have proved nothing.
 */
export function untilLate<Given extends readonly unknown[]>(
  timeMs: number,
  run: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  let endsAt: number | undefined;
  return async (...given) => {
    endsAt ??= performance.now() + timeMs;
    if (performance.now() < endsAt) await run(...given);
  };
}
