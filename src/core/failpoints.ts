/**
 * Named points between two steps of a purchase, a delivery, a deposit, a webhook, a test clock or a
 * batch. Tests kill a process there to check what a crash leaves behind. Without the setting a
 * point does nothing.
 */
export const failpointNames = [
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
  'before-webhook',
  'after-webhooks',
  'before-clock-commits',
  'after-clock-moved',
  'before-batch-continues',
] as const;

export type StopPoint = (typeof failpointNames)[number];

export type Failpoints = {
  readonly active: boolean;
  reach(point: StopPoint): Promise<void> | undefined;
};

export const noFailpoints: Failpoints = { active: false, reach: () => undefined };

/** Kills the process by SIGKILL at the given point: no handler runs, and nothing is flushed. */
export function dieAt(stop: StopPoint): Failpoints {
  return {
    active: true,
    reach(point) {
      if (point !== stop) return undefined;
      process.kill(process.pid, 'SIGKILL');
      // The signal is asynchronous, so execution must stop here.
      return new Promise<void>(() => undefined);
    },
  };
}
