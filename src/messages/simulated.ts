/** The messenger of test credentials: nothing leaves, and every message counts as sent. */
import { deliveryChannels } from './destination.ts';
import type { Messenger } from './messenger.ts';

export function createSimulatedMessenger(): Messenger {
  return {
    name: 'simulated',
    channels: new Set(deliveryChannels),
    send: () =>
      Promise.resolve({ kind: 'sent', code: 'simulated', note: 'a test order: nothing left the gateway' }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
