/**
 * Composes the message that delivers an order of gift cards to a customer: an e-mail as text and
 * HTML, and a short text for a phone. Pure.
 */
import { escapeHtml } from '../../core/escape-html.ts';
import type { Card } from '../../providers/provider.ts';
import type { Destination } from './destination.ts';
import type { Message } from './messenger.ts';

export type DeliverableOrder = {
  readonly kind: 'cards';
  /** The merchant that sold the order. */
  readonly merchantName: string;
  /** The merchant's own reference. */
  readonly reference: string;
  /** For example `Amazon US USD 25`; empty if the plan is no longer in the catalog. */
  readonly title: string;
  /** Each card has the fields that the provider returned. */
  readonly cards: readonly Card[];
  /** How to redeem, in the provider's words. */
  readonly instructions: string | undefined;
};

type Line = { readonly label: string; readonly value: string };

const labels: readonly (readonly [field: keyof Card, label: string])[] = [
  ['card_number', 'Card number'],
  ['pin', 'PIN'],
  ['claim_url', 'Claim at'],
  ['expiry', 'Valid until'],
];

/** Composes a message. Undefined when there is no card, or a card has no field. */
export function composeMessage(
  id: string,
  { channel, address }: Destination,
  order: DeliverableOrder,
): Message | undefined {
  const cards = order.cards.map(linesOf);
  if (cards.length === 0 || cards.some((lines) => lines.length === 0)) return undefined;
  const [count, what] = cards.length === 1 ? ['', 'gift card'] : [`${cards.length}`, 'gift cards'];
  const words = ['Your', count, oneLine(order.title), what, 'from', oneLine(order.merchantName)];
  const opening = words.filter((word) => word !== '').join(' ');
  return {
    id,
    channel,
    to: address,
    subject: opening,
    text: plainText(opening, cards, order),
    html: htmlText(opening, cards, order),
    shortText: shortText(opening, cards),
  };
}

function linesOf(card: Card): Line[] {
  return labels.flatMap(([field, label]) => {
    const text = oneLine(card[field] ?? '');
    return text === '' ? [] : [{ label, value: text }];
  });
}

function plainText(opening: string, cards: readonly Line[][], order: DeliverableOrder): string {
  const blocks = cards.map((lines, index) => {
    const heading = cards.length === 1 ? [] : [`Card ${index + 1}`];
    return [...heading, ...lines.map(({ label, value }) => `${label}: ${value}`)].join('\n');
  });
  return [`${opening}:`, ...blocks, ...closing(order)].join('\n\n').concat('\n');
}

function shortText(opening: string, cards: readonly Line[][]): string {
  const parts = cards.map((lines, index) => {
    const heading = cards.length === 1 ? '' : `(${index + 1}) `;
    return heading + lines.map(({ label, value }) => `${label}: ${value}`).join(', ');
  });
  return `${opening}. ${parts.join('; ')}`;
}

function htmlText(opening: string, cards: readonly Line[][], order: DeliverableOrder): string {
  const tables = cards.map((lines) => {
    const rows = lines.map(
      ({ label, value }) => `<tr><th align="left">${label}</th><td>${htmlValue(value)}</td></tr>`,
    );
    return `<table cellpadding="6" border="1" style="border-collapse:collapse;margin:16px 0">${rows.join('')}</table>`;
  });
  const paragraphs = closing(order).map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`);
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<p>${escapeHtml(opening)}:</p>`,
    ...tables,
    ...paragraphs,
    '</body></html>',
  ].join('\n');
}

function closing({ instructions, reference, merchantName }: DeliverableOrder): string[] {
  return [
    ...(instructions === undefined || instructions.trim() === ''
      ? []
      : [`How to redeem:\n${instructions.trim()}`]),
    `Keep this message private: anyone who has these numbers can spend them. If you have questions, contact ${oneLine(merchantName)} about order ${oneLine(reference)}.`,
  ];
}

/** Links only plain web addresses, because a provider's text may be hostile. */
function htmlValue(value: string): string {
  const shown = escapeHtml(value);
  return /^https?:\/\/[^\s"'<>]+$/.test(value) ? `<a href="${shown}">${shown}</a>` : `<code>${shown}</code>`;
}

/** Replaces line breaks and other control characters. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
