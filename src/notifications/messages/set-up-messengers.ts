/**
 * Sets up the messenger of each environment and channel. Live orders are sent through the
 * configured mail server and Termii. In the demo, e-mails become files and the simulator replaces
 * Termii unless they are configured. Test orders are never sent to a customer.
 */
import type { Environment } from '../../core/environment.ts';
import { type DeliveryStory, storyOfDestination } from '../../core/products/test-stories.ts';
import { type DeliveryChannel, deliveryChannels } from './destination.ts';
import type { Messenger, SendOutcome } from './messenger.ts';
import type { SmtpConfig, TermiiConfig } from './messenger-config.ts';
import { createOutbox } from './smtp/outbox.ts';
import { createSmtp } from './smtp/smtp.ts';
import { createTermii } from './termii/connector.ts';

const outcomes: Readonly<Record<DeliveryStory['outcome'], SendOutcome>> = {
  refused: { kind: 'refused', code: 'story', note: 'test order: the test destination refuses messages' },
  unknown: { kind: 'unknown', code: 'story', note: 'test order: the test destination returns no answer' },
  not_sent: { kind: 'not_sent', code: 'story', note: 'test order: the test destination cannot be reached' },
};

/**
 * Creates the messenger of test orders: it plays the scenario of a test destination, and passes
 * other messages to `carrier`. The default carrier sends nothing.
 */
function createTestMessenger(carrier: Messenger = simulated): Messenger {
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
  send: () => Promise.resolve({ kind: 'sent', code: 'simulated', note: 'test order: no message was sent' }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

export type MessengerSettings = {
  readonly smtp: SmtpConfig | undefined;
  readonly termii: TermiiConfig | undefined;
  /** Present in the demo. */
  readonly demo: { readonly outboxFolder: string; readonly simulatorUrl: string } | undefined;
};

export type Messengers = AsyncDisposable & {
  readonly of: (environment: Environment, channel: DeliveryChannel) => Messenger | undefined;
  /** The channels that live orders can be sent by. */
  readonly liveChannels: readonly DeliveryChannel[];
};

const OUTBOX_FROM = 'Oja demo <demo@oja.invalid>';

export function setUpMessengers({ smtp, termii, demo }: MessengerSettings): Messengers {
  const outbox = demo && createOutbox(demo.outboxFolder, smtp?.from ?? OUTBOX_FROM);
  const mail = smtp === undefined ? outbox : createSmtp(smtp);
  const phones = termii ?? (demo && simulatedTermii(demo.simulatorUrl));
  const live = [...(mail ? [mail] : []), ...(phones ? [createTermii(phones)] : [])];
  const tests = { email: createTestMessenger(outbox), phone: createTestMessenger() };
  const of = (environment: Environment, channel: DeliveryChannel): Messenger | undefined =>
    environment === 'live'
      ? live.find((messenger) => messenger.channels.has(channel))
      : channel === 'email'
        ? tests.email
        : tests.phone;
  return {
    of,
    liveChannels: deliveryChannels.filter((channel) => of('live', channel) !== undefined),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(live.map((messenger) => messenger[Symbol.asyncDispose]()));
    },
  };
}

/** Returns the account at the simulator. Its key protects nothing. */
function simulatedTermii(simulatorUrl: string): TermiiConfig {
  return {
    baseUrl: `${simulatorUrl}/termii`,
    apiKey: 'simulator-termii-key',
    senderId: 'Oja',
    smsChannel: 'dnd',
    whatsappDevice: 'oja-device',
    connectionsMax: 10,
    deadlineMs: 20_000,
  };
}
