/**
 * Compares the fields of orders of gift cards and eSIMs with an order as it is stored. Neither an
 * address nor the code of a voucher leaves this file. Pure.
 */
import { timingSafeEqual } from 'node:crypto';
import { parseAmount } from '../../kernel/money.ts';
import { deliveryChannels, parseDestination } from '../../messages/destination.ts';
import { readVoucherCode } from '../../vouchers/voucher-code.ts';
import type { FirstPurchaseRow } from './first-purchase-store.ts';
import { isSameWord, type JudgeField, sameOr, textOf, type Verdict } from './sent-purchase.ts';

type OrderRole = 'plan' | 'quantity' | 'cardValue' | 'channel' | 'address' | 'voucher';

export type OrderComparer = {
  readonly hashCode: (code: string) => Buffer;
  /** The stored destination, opened; undefined where no key opens it. */
  readonly openDestination: (sealed: string) => string | undefined;
};

/** `channel` is what was sent for it: without one an address says nothing. */
export function orderJudges(
  comparer: OrderComparer,
  first: FirstPurchaseRow,
  channel: unknown,
): Readonly<Record<OrderRole, JudgeField>> {
  return {
    plan: (text) => sameOr(text !== undefined && isSameWord(text, first.plan_code ?? '')),
    quantity: (text) => sameOr(Number(text ?? 1) === (first.details?.item?.quantity ?? 1)),
    cardValue: (text) => judgeCardValue(first, text),
    channel: (text) => judgeChannel(first, text),
    address: (text) => judgeAddress(comparer, first, textOf(channel), text),
    voucher: (text) => judgeVoucher(comparer, first.code_hash, text),
  };
}

/** A card of one value takes no other, whatever is sent. Of any other the lowest is the default. */
function judgeCardValue(first: FirstPurchaseRow, text: string | undefined): Verdict {
  const { details, is_fixed_card: isFixed, card_value: value } = first;
  if (isFixed === true) return 'same';
  const sent = text === undefined ? value : parseAmount(text);
  if (sent === null) return 'unknown';
  return sameOr(sent !== undefined && sent === BigInt(details?.item?.unitPrice ?? 0));
}

function judgeChannel(first: FirstPurchaseRow, text: string | undefined): Verdict {
  if (first.channel !== null) return sameOr(text !== undefined && isSameWord(text, first.channel));
  if (first.is_unpaid) return 'unknown';
  return sameOr(text === undefined);
}

function judgeAddress(
  { openDestination }: OrderComparer,
  first: FirstPurchaseRow,
  sentChannel: string | undefined,
  text: string | undefined,
): Verdict {
  if (sentChannel === undefined) return 'same';
  if (first.destination === null) return first.is_unpaid ? 'unknown' : sameOr(text === undefined);
  if (text === undefined) return 'differs';
  const stored = first.destination === '' ? undefined : openDestination(first.destination);
  if (stored === undefined) return 'unknown';
  const channel = deliveryChannels.find((known) => isSameWord(known, sentChannel));
  const sent = channel && parseDestination(channel, text)?.address;
  return sameOr(sent !== undefined && isSameWord(sent, stored));
}

function judgeVoucher({ hashCode }: OrderComparer, paidBy: Buffer | null, text: string | undefined): Verdict {
  if (text === undefined || paidBy === null) return sameOr(text === undefined && paidBy === null);
  const code = readVoucherCode(text);
  return sameOr(code !== undefined && timingSafeEqual(hashCode(code), paidBy));
}
