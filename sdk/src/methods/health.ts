/** Whether the gateway is well, and whether this process of it should get traffic. */
import { call } from '../call.ts';
import { type HealthAnswer, operations } from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';

export type HealthMethods = {
  /** An answer with `status: "error"`, too, is an answer. */
  get(options?: CallOptions): Promise<HealthAnswer>;
  ready(options?: CallOptions): Promise<HealthAnswer>;
};

export function healthMethods(settings: Settings): HealthMethods {
  return {
    get: (options) => call(settings, 'look_up', { ...operations.getHealth, alsoStatus: 503 }, options),
    ready: (options) => call(settings, 'look_up', { ...operations.getReadiness, alsoStatus: 503 }, options),
  };
}
