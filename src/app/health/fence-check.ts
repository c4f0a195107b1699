/** Whether the restore fence (src/recovery) lets anything be sold with live credentials. */
import { type HealthCheck, ok } from './health-check.ts';

type FenceParts = {
  readonly profile: 'demo' | 'production';
  readonly fence: { words(): string | undefined };
  /** Whether what is seen of the database is written down, so that a start can compare it. */
  readonly life: { readonly isRecorded: boolean };
};

/** In the production profile only what is sold for money counts; the demo sells test purchases. */
export function fenceCheck({ profile, fence, life }: FenceParts): HealthCheck {
  return {
    name: 'fence',
    look: () => {
      const why = fence.words();
      if (why === undefined) {
        return life.isRecorded
          ? ok
          : { state: 'degraded', why: 'the data folder cannot be written: a restart would not notice' };
      }
      return profile === 'production' ? { state: 'down', why } : { state: 'degraded', why: `up: ${why}` };
    },
  };
}
