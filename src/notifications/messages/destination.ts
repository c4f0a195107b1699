/**
 * Where a merchant wants an order sent. The address is read from the request, and stored sealed.
 * Beside it only a hint is stored, by which support recognises the address.
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

/** As the table `deliveries` stores it. */
export type SealedDestination = {
  readonly channel: DeliveryChannel;
  readonly sealed: string;
  readonly hint: string;
};

/** E.164. The plus sign means that the country code is included. */
const INTERNATIONAL = /^\+([1-9][0-9]{7,14})$/;

/** Undefined where the text is no address of that channel. */
export function parseDestination(channel: DeliveryChannel, text: string): Destination | undefined {
  if (channel === 'email') return isEmail(text) ? { channel, address: text } : undefined;
  const address = parsePhone(text);
  return address === undefined ? undefined : { channel, address };
}

/**
 * A Nigerian mobile number in any accepted spelling, or any other number with its plus sign and
 * country code.
 */
function parsePhone(text: string): string | undefined {
  const nigerian = parseMobileNumber(text);
  if (nigerian !== undefined) return nigerian;
  const digits = INTERNATIONAL.exec(text)?.[1];
  return digits?.startsWith('234') ? undefined : digits;
}

/** Which row and field a sealed address belongs to. */
export function destinationPlace(purchaseId: string): string {
  return `deliveries/${purchaseId}/destination`;
}

/** `seal` is given the place and the plain text. */
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

/** `a***@example.com`, `***567`. */
export function maskDestination({ channel, address }: Destination): string {
  if (channel !== 'email') return `***${address.slice(-3)}`;
  return `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;
}
