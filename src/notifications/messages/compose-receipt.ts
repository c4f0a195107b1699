/**
 * Composes the message with the receipt of a purchase: its tokens in full, because a phone may have
 * no data, and a link. Pure.
 */
import { escapeHtml } from '../../core/escape-html.ts';
import { oneLine } from './compose-message.ts';
import type { Destination } from './destination.ts';
import type { Message } from './messenger.ts';

export type DeliverableReceipt = {
  readonly kind: 'receipt';
  /** Another for each time that a user sends it, so that a carrier does not drop it. */
  readonly messageId: string;
  readonly shop: string;
  /** For example `Electricity, Ikeja Electric`. */
  readonly product: string;
  /** What to do with the tokens, if there is more than one. */
  readonly advice: string | undefined;
  /** Tokens and units, in the order in which the customer needs them. */
  readonly goods: readonly Line[];
  readonly facts: readonly Line[];
  readonly link: string;
};

type Line = { readonly label: string; readonly value: string };

export function composeReceipt({ channel, address }: Destination, receipt: DeliverableReceipt): Message {
  const { messageId: id, shop, product, advice, link } = receipt;
  const opening = `Your receipt from ${oneLine(shop)}: ${oneLine(product)}`;
  const goods = receipt.goods.map(spell);
  const facts = receipt.facts.map(spell);
  const blocks = [`${opening}.`, advice, goods.join('\n'), facts.join('\n'), `Receipt: ${link}`];
  const isUsed = (block: string | undefined): block is string => block !== undefined && block !== '';
  return {
    id,
    channel,
    to: address,
    subject: opening,
    text: blocks.filter(isUsed).join('\n\n').concat('\n'),
    html: htmlOf(blocks.slice(0, -1).filter(isUsed), link),
    shortText: [`${opening}.`, advice, ...[...goods, ...facts].map((line) => `${line}.`), link]
      .filter(isUsed)
      .join(' '),
  };
}

function spell({ label, value }: Line): string {
  return `${label}: ${oneLine(value)}`;
}

function htmlOf(blocks: readonly string[], link: string): string {
  const paragraphs = blocks.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`);
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    ...paragraphs,
    `<p><a href="${escapeHtml(link)}">Open the receipt</a></p>`,
    '</body></html>',
  ].join('\n');
}
