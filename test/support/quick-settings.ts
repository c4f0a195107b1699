/** Settings of gateways under test that retry sooner than those of users. */

/**
 * In real seconds. They must be enough for a slow machine, so they do not shrink with the time
 * scale.
 */
const unscaled: Readonly<Record<string, number>> = {
  OJA_SYNC_DEADLINE_S: 60,
  OJA_ASYNC_PATIENCE_S: 900,
  OJA_NOT_FOUND_GRACE_S: 15,
};

/**
 * Returns settings with which queries, webhooks and banks are retried `timesSooner` times as soon.
 * Deadlines and graces keep their default length. `own` are further settings; those of a deadline
 * or a grace are in real seconds.
 */
export function quickSettings(
  timesSooner: number,
  own: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const scaled = Object.entries(unscaled).map(([name, seconds]) => [
    name,
    String(timesSooner * Number(own[name] ?? seconds)),
  ]);
  return { ...own, OJA_TIME_SCALE: String(1 / timesSooner), ...Object.fromEntries(scaled) };
}
