/** Whether the gateway is healthy, and whether this process should get traffic. */
import { call } from '../call.ts';
import { type HealthAnswer, operations } from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';

export type HealthMethods = {
  /** `status: "error"` is an answer too. */
  get(options?: CallOptions): Promise<HealthAnswer>;
  ready(options?: CallOptions): Promise<HealthAnswer>;
};

export function healthMethods(settings: Settings): HealthMethods {
  return {
    get: (options) => call(settings, 'look_up', { ...operations.getHealth, alsoStatus: 503 }, options),
    ready: (options) => call(settings, 'look_up', { ...operations.getReadiness, alsoStatus: 503 }, options),
  };
}
