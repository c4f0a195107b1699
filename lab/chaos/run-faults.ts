/** Strikes with one fault after another, and measures the duration of each one's effects. */
import type { Calm } from './calm.ts';
import { faults } from './faults.ts';
import type { FaultKind } from './options.ts';
import type { Site } from './site.ts';

/** The effects of a fault must end within this time. */
export const CALM_MS = 10_000;
/** The run waits this much longer, to measure the real duration. */
const PATIENCE_MS = 60_000;

export type Struck = {
  readonly kind: FaultKind;
  readonly detail: string;
  /** From its start until the affected part served again. */
  readonly lastedMs: number;
  /** From then until the first normal second; undefined if none came. */
  readonly calmAfterMs: number | undefined;
};

type Run = {
  readonly site: Site;
  readonly calm: Calm;
  readonly random: () => number;
  readonly onStruck: (struck: Struck, number: number) => void;
};

/** No more of them once `minutes` are over. */
export async function runFaults(
  { site, calm, random, onStruck }: Run,
  kinds: readonly FaultKind[],
  minutes: number,
): Promise<Struck[]> {
  const all: Struck[] = [];
  const deadline = performance.now() + minutes * 60_000;
  for (const kind of kinds) {
    const startedAt = performance.now();
    if (startedAt > deadline) break;
    const detail = await faults[kind].strike(site, random);
    const lastedMs = performance.now() - startedAt;
    const calmAfterMs = await calm.untilCalm(PATIENCE_MS);
    const struck = { kind, detail, lastedMs, calmAfterMs };
    all.push(struck);
    onStruck(struck, all.length);
  }
  return all;
}

export function isLate({ calmAfterMs }: Struck): boolean {
  return calmAfterMs === undefined || calmAfterMs > CALM_MS;
}
