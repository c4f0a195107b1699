/**
 * Named places between two steps of a vend, of the sending of an order or of a deposit at which a
 * process can be made to die, so that tests can prove what a crash there leaves. Without a setting,
 * reaching one is free.
 */
export const stopPointNames = [
  'after-accept',
  'before-call',
  'after-call',
  'before-resolve-commits',
  'before-delivery',
  'after-delivery',
  'after-bank-asked',
  'after-notice-stored',
  'after-read-back',
  'before-deposit-commits',
] as const;

export type StopPoint = (typeof stopPointNames)[number];

export type StopPoints = {
  readonly active: boolean;
  reach(point: StopPoint): Promise<void> | undefined;
};

export const noStopPoints: StopPoints = { active: false, reach: () => undefined };

/** Dies by SIGKILL at the given point: no handler runs, nothing is flushed. */
export function dieAt(stop: StopPoint): StopPoints {
  return {
    active: true,
    reach(point) {
      if (point !== stop) return undefined;
      process.kill(process.pid, 'SIGKILL');
      // The signal is asynchronous: go no further.
      return new Promise<void>(() => undefined);
    },
  };
}
