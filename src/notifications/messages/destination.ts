/**
 * The destination of an order. The address is stored sealed, with a hint by which support
 * recognises it.
 */
import { isEmail } from '../../core/email.ts';
import { parseMobileNumber } from '../../core/products/mobile-number.ts';

export const deliveryChannels = ['email', 'sms', 'whatsapp'] as const;

export type DeliveryChannel = (typeof deliveryChannels)[number];

export type Destination = {
  readonly channel: DeliveryChannel;
  /** An e-mail address as sent; a phone as international digits without the plus sign. */
  readonly address: string;
};

/** The columns of the table `deliveries`. */
export type SealedDestination = {
  readonly channel: DeliveryChannel;
  readonly sealed: string;
  readonly hint: string;
};

/** E.164 with its plus sign, so that the country code is included. */
const INTERNATIONAL = /^\+([1-9][0-9]{7,14})$/;

/** Parses an address; undefined if it is not valid for the channel. */
export function parseDestination(channel: DeliveryChannel, text: string): Destination | undefined {
  if (channel === 'email') return isEmail(text) ? { channel, address: text } : undefined;
  const address = parsePhone(text);
  return address === undefined ? undefined : { channel, address };
}

/**
 * Parses a Nigerian mobile number in any accepted spelling, or another number with its plus sign
 * and country code.
 */
function parsePhone(text: string): string | undefined {
  const nigerian = parseMobileNumber(text);
  if (nigerian !== undefined) return nigerian;
  const digits = INTERNATIONAL.exec(text)?.[1];
  return digits?.startsWith('234') ? undefined : digits;
}

/** Names the row and field that an address is sealed for. */
export function destinationPlace(purchaseId: string): string {
  return `deliveries/${purchaseId}/destination`;
}

/** Seals a destination. `seal` takes the place and the plain text. */
export function sealDestination(
  destination: Destination,
  purchaseId: string,
  seal: (place: string, plain: string) => string,
): SealedDestination {
  return {
    channel: destination.channel,
    sealed: seal(destinationPlace(purchaseId), destination.address),
    hint: maskDestination(destination),
  };
}

/** Masks an address: `a***@example.com`, `***567`. */
export function maskDestination({ channel, address }: Destination): string {
  if (channel !== 'email') return `***${address.slice(-3)}`;
  return `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;
}
