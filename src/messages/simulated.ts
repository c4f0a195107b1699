/**
 * The messenger of test credentials: nothing leaves, and every message counts as sent, unless its
 * destination names a story (src/products/test-stories.ts).
 */
import { type DeliveryStory, storyOfDestination } from '../products/test-stories.ts';
import { deliveryChannels } from './destination.ts';
import type { Messenger, SendOutcome } from './messenger.ts';

const outcomes: Readonly<Record<DeliveryStory['outcome'], SendOutcome>> = {
  refused: { kind: 'refused', code: 'story', note: 'a test order: its story is that the address is refused' },
  unknown: { kind: 'unknown', code: 'story', note: 'a test order: its story is that no answer comes' },
  not_sent: { kind: 'not_sent', code: 'story', note: 'a test order: its story is that nothing can be sent' },
};

/** `carrier` takes what plays no story; without it nothing leaves. */
export function createTestMessenger(carrier: Messenger = simulated): Messenger {
  return {
    name: carrier.name,
    channels: carrier.channels,
    send: (message, signal) => {
      const story = storyOfDestination(message.to);
      return story === undefined ? carrier.send(message, signal) : Promise.resolve(outcomes[story.outcome]);
    },
    [Symbol.asyncDispose]: () => carrier[Symbol.asyncDispose](),
  };
}

const simulated: Messenger = {
  name: 'simulated',
  channels: new Set(deliveryChannels),
  send: () =>
    Promise.resolve({ kind: 'sent', code: 'simulated', note: 'a test order: nothing left the gateway' }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
