/**
 * Reads the cards of an order. Pure. Guarantees that cards are returned complete or not at all, and
 * that no message contains any part of a card.
 */

import { type Body, isBody } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Card, Goods, ProviderAnswer, ProviderOrder } from '../provider.ts';
import type { Request } from './client.ts';

type Success = Extract<ProviderAnswer, { kind: 'success' }>;

const SECRET_LENGTH_MAX = 2_000;

/** Builds the request for cards. The second version also returns the claim link. */
export function toCardsRequest(transactionId: string): Request {
  const path = `/orders/transactions/${encodeURIComponent(transactionId)}/cards`;
  return { operation: 'cards', method: 'GET', path, version: 'v2' };
}

/** Adds the cards to a success once all of them are there. */
export function withCards(success: Success, order: ProviderOrder, result: TokenedResult): Success {
  const without = (why: string): Success => ({ ...success, message: `${success.message}; ${why}` });
  if (result.kind !== 'reply') return without(`the cards could not be requested: ${result.reason}`);
  if (result.status >= 300) return without(`no cards yet, HTTP ${result.status}`);
  const cards = readCards(result.body);
  if (cards === undefined) return without('the cards could not be read');
  const wanted = order.item?.quantity ?? 1;
  if (cards.length !== wanted) return without(`${cards.length} of ${wanted} cards so far`);
  const goods: Goods = {
    cards,
    ...(success.providerId !== undefined && { reference_code: success.providerId }),
  };
  return { ...success, goods };
}

/**
 * Reads the cards. An entry without a number, a code and a link is not issued yet. Undefined if a
 * part of one is there and cannot be read.
 */
function readCards(body: unknown): readonly Card[] | undefined {
  const list = isBody(body) ? body.content : body;
  if (!Array.isArray(list) || !list.every(isBody)) return undefined;
  const cards = list.map(readCard).filter((card) => card === undefined || Object.keys(card).length > 0);
  return cards.every((card) => card !== undefined) ? cards : undefined;
}

function readCard({ cardNumber, pinCode, redemptionUrl }: Body): Card | undefined {
  const [card_number, pin, claim_url] = [secret(cardNumber), secret(pinCode), link(redemptionUrl)];
  const isWhole =
    isReadOrAbsent(cardNumber, card_number) &&
    isReadOrAbsent(pinCode, pin) &&
    isReadOrAbsent(redemptionUrl, claim_url);
  if (!isWhole) return undefined;
  return {
    ...(card_number !== undefined && { card_number }),
    ...(pin !== undefined && { pin }),
    ...(claim_url !== undefined && { claim_url }),
  };
}

function isReadOrAbsent(value: unknown, read: string | undefined): boolean {
  const isAbsent =
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  return isAbsent || read !== undefined;
}

/** Reads a complete text. A shortened code, or one rounded as a JSON number, is a wrong code. */
function secret(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.length > SECRET_LENGTH_MAX) return undefined;
  const text = value.trim();
  return text === '' || /\p{Cc}/u.test(text) || !text.isWellFormed() ? undefined : text;
}

function link(value: unknown): string | undefined {
  const text = typeof value === 'string' ? secret(value) : undefined;
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}
