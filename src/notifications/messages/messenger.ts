/**
 * The contract of a messenger, which carries messages to customers. It holds no state, never
 * repeats a message by itself and never throws because of an answer. Doubt is `unknown`, never
 * `not_sent`: a message whose fate is not known is not sent again automatically.
 */
import type { DeliveryChannel } from './destination.ts';

export type Message = {
  /**
   * The order's id: the same at every try, so that a carrier which knows the message already can
   * drop it.
   */
  readonly id: string;
  readonly channel: DeliveryChannel;
  /** An e-mail address, or a phone as international digits. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same in one short piece, for phones. */
  readonly shortText: string;
};

type Evidence = {
  /** The carrier's own word or ours, for people. */
  readonly code: string;
  /** One line for the operator; never the address or what is sent. */
  readonly note: string;
};

export type SendOutcome =
  /** The carrier has taken it. `messageId` is its own. */
  | (Evidence & { readonly kind: 'sent'; readonly messageId?: string })
  /** Its final word that this message will not go to this address. */
  | (Evidence & { readonly kind: 'refused' })
  /** It may have been taken. */
  | (Evidence & { readonly kind: 'unknown' })
  /** Certainly not taken; may be tried again. */
  | (Evidence & { readonly kind: 'not_sent' });

export type Messenger = {
  readonly name: string;
  readonly channels: ReadonlySet<DeliveryChannel>;
  /** `signal` ends the wait; what had left by then is `unknown`. */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>;
  [Symbol.asyncDispose](): Promise<void>;
};
