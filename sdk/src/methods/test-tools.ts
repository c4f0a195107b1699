/** Tools of test credentials: a clock to move, and test deposits. */
import { call } from '../call.ts';
import {
  type Operations,
  operations,
  type TestClockAnswer,
  type TestDepositAnswer,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';

export type TestMethods = {
  /** Moves pending purchases of test credentials `advance_s` seconds ahead. */
  advanceClock(body: Operations['advanceTestClock']['body'], options?: CallOptions): Promise<TestClockAnswer>;
  /** Simulates a customer's transfer of `amount` to the test wallet. */
  createDeposit(
    body: Operations['createTestDeposit']['body'],
    options?: CallOptions,
  ): Promise<TestDepositAnswer>;
};

export function testMethods(settings: Settings): TestMethods {
  return {
    advanceClock: (body, options) => call(settings, 'act', { ...operations.advanceTestClock, body }, options),
    createDeposit: (body, options) =>
      call(settings, 'act', { ...operations.createTestDeposit, body }, options),
  };
}
