import { createSandbox } from '../../src/providers/sandbox/connector.ts';
import { type Behaviour, providerSuite } from './provider-suite.ts';

const RECIPIENTS: Readonly<Record<Behaviour, string>> = {
  success: '2348031234567',
  refused: '2348000000001',
  pending_then_success: '2348000000002',
  pending_then_failed: '2348000000003',
  lost_after_delivery: '2348000000004',
  lost_before_delivery: '2348000000005',
};

providerSuite('the sandbox', async () => {
  const provider = createSandbox({ notFoundGraceMs: 1_000, timeoutMs: 100, settlesAfterMs: 300 });
  return {
    provider,
    secrets: [],
    arrange: async (behaviour) => RECIPIENTS[behaviour],
    [Symbol.asyncDispose]: async () => provider[Symbol.asyncDispose](),
  };
});
