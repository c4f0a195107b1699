/**
 * The contract of a messenger, which sends messages to customers. It is stateless, never repeats a
 * message by itself, and never throws because of an answer. A message that may have been sent is
 * `unknown`, never `not_sent`, and is not sent again automatically.
 */
import type { DeliveryChannel } from './destination.ts';

export type Message = {
  /** The same at every try of an order or a receipt, so that a carrier can drop a repetition. */
  readonly id: string;
  readonly channel: DeliveryChannel;
  /** An e-mail address, or a phone as international digits. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The text for phones. */
  readonly shortText: string;
};

type Evidence = {
  /** The carrier's code or ours, for operators. */
  readonly code: string;
  /** One line for the operator. It never contains the address or the content. */
  readonly note: string;
};

export type SendOutcome =
  /** The carrier accepted the message. `messageId` is its id there. */
  | (Evidence & { readonly kind: 'sent'; readonly messageId?: string })
  /** The carrier finally refused the message or the address. */
  | (Evidence & { readonly kind: 'refused' })
  /** The carrier may have accepted the message. */
  | (Evidence & { readonly kind: 'unknown' })
  /** The carrier certainly did not accept the message: it may be sent again. */
  | (Evidence & { readonly kind: 'not_sent' });

export type Messenger = {
  readonly name: string;
  readonly channels: ReadonlySet<DeliveryChannel>;
  /** Sends a message. `signal` ends the wait; a message that had left by then is `unknown`. */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>;
  [Symbol.asyncDispose](): Promise<void>;
};
