/** Whether the restore fence (src/recovery) lets anything be sold with live credentials. */
import { type HealthCheck, ok } from './health-check.ts';

type FenceParts = {
  readonly profile: 'demo' | 'production';
  readonly fence: { words(): string | undefined };
};

/** In the production profile only what is sold for money counts; the demo sells test purchases. */
export function fenceCheck({ profile, fence }: FenceParts): HealthCheck {
  return {
    name: 'fence',
    look: () => {
      const why = fence.words();
      if (why === undefined) return ok;
      return profile === 'production' ? { state: 'down', why } : { state: 'degraded', why: `up: ${why}` };
    },
  };
}
