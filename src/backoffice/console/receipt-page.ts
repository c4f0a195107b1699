/**
 * Receipts at the portal: plain HTML that a customer opens by a signed link, without a session, and
 * a shop prints, on A5 or on a roll of 58 mm.
 */

import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../core/escape-html.ts';
import { FairGate } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';
import { networkOf } from '../../core/network-of.ts';
import { readReceiptOfLink } from '../../purchases/receipts/read-receipt.ts';
import {
  adviceOf,
  factsOf,
  goodsOf,
  type Receipt,
  type ReceiptLine,
} from '../../purchases/receipts/receipt.ts';
import { ConsoleRefusal } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { limitRequests } from './protect.ts';

/** Only the page's own style and script run, and the only image is in the page. */
function receiptPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function receiptPage(receipt: Receipt, nonce: string): string {
  const { shop, environment, tokens, product } = receipt;
  const advice = adviceOf(receipt);
  const others = goodsOf(receipt).filter((line) => !tokens.includes(line));
  const body = [
    '<main>',
    '<header>',
    logoOf(receipt),
    `<p class="shop">${escapeHtml(shop.name)}</p>`,
    '<h1>Receipt</h1>',
    `<p class="product">${escapeHtml(product)}</p>`,
    '</header>',
    environment === 'test' ? '<p class="test">Test purchase: nothing was sold.</p>' : '',
    advice === undefined ? '' : `<p class="advice">${advice}</p>`,
    tokens.length === 0 ? '' : `<ol class="tokens">${tokens.map(tokenItem).join('')}</ol>`,
    `<dl>${[...others, ...factsOf(receipt)].map(fact).join('')}</dl>`,
    '<p class="print"><button type="button" data-paper="a5">Print on A5</button>',
    '<button type="button" data-paper="roll">Print on 58 mm</button></p>',
    '</main>',
    `<script nonce="${nonce}">${script}</script>`,
  ];
  return pageOf(`Receipt of ${escapeHtml(shop.name)}`, body.join('\n'), nonce, rollLengthMm(receipt));
}

const apologies = {
  unknown: 'This link does not lead to a receipt. Check that you copied all of it.',
  expired: 'This link has expired. Ask the shop for another.',
  revoked: 'This receipt was withdrawn. Ask the shop about it.',
} as const;

function noReceiptPage(why: keyof typeof apologies, nonce: string): string {
  const body = `<main><header><h1>No receipt</h1></header><p>${apologies[why]}</p></main>`;
  return pageOf('No receipt', body, nonce, ROLL_MM);
}

function logoOf({ shop: { name, logo } }: Receipt): string {
  if (logo === undefined) return '';
  const source = `data:${logo.mediaType};base64,${logo.bytes.toString('base64')}`;
  return `<img src="${source}" alt="Logo of ${escapeHtml(name)}">`;
}

function tokenItem({ label, value }: ReceiptLine): string {
  return `<li><span>${escapeHtml(label)}</span> <strong>${escapeHtml(value)}</strong></li>`;
}

function fact({ label, value }: ReceiptLine): string {
  return `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`;
}

/** A roll is endless, so its page is exactly as long as the receipt. */
const ROLL_MM = 120;
const LOGO_MM = 24;
const ADVICE_MM = 30;
const TOKEN_MM = 15;

function rollLengthMm({ shop, tokens, hasKeyChange }: Receipt): number {
  return (
    ROLL_MM +
    (shop.logo === undefined ? 0 : LOGO_MM) +
    (hasKeyChange ? ADVICE_MM : 0) +
    TOKEN_MM * tokens.length
  );
}

function pageOf(title: string, body: string, nonce: string, rollMm: number): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    `<style nonce="${nonce}">${style}</style>`,
    `<style nonce="${nonce}" id="a5">@page { size: A5; margin: 12mm; }</style>`,
    `<style nonce="${nonce}" id="roll" media="not all">@page { size: 58mm ${rollMm}mm; margin: 2mm; }${rollStyle}</style>`,
    '</head>',
    `<body>${body}</body>`,
    '</html>',
  ].join('\n');
}

/** Chooses the paper, then opens the browser's dialog. */
const script = `
for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => {
    for (const paper of ['a5', 'roll']) {
      document.getElementById(paper).media = paper === button.dataset.paper ? 'all' : 'not all';
    }
    print();
  });
}`;

const style = `
:root { --ink: #16181d; --soft: #4d5563; --line: #c9ced6; --paper: #ffffff; --desk: #f1f3f6; --mark: #fff3d6; --button: #1d4fd7; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #eceef2; --soft: #b3bac6; --line: #444c5a; --paper: #1c2027; --desk: #101318; --mark: #3d3212; --button: #8fb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--desk); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 480px; margin: 0 auto; padding: 24px; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
header { text-align: center; }
img { max-width: 160px; max-height: 80px; }
h1 { margin: 4px 0; font-size: 1.25em; }
p { margin: 8px 0; overflow-wrap: anywhere; }
.shop { font-size: 1.25em; font-weight: 600; }
.product, dt, .tokens span { color: var(--soft); }
.test, .advice { padding: 8px 12px; background: var(--mark); border-radius: 4px; }
.tokens { margin: 16px 0; padding: 0; list-style: none; }
.tokens li { padding: 8px 0; border-top: 1px solid var(--line); }
.tokens span, .tokens strong { display: block; }
.tokens strong { font: 600 min(1.3em, 5.2vw)/1.4 ui-monospace, monospace; font-variant-numeric: tabular-nums; }
dl { margin: 16px 0 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; padding: 6px 0; border-top: 1px solid var(--line); }
dd { margin: 0; font-weight: 500; overflow-wrap: anywhere; }
.print { display: flex; flex-wrap: wrap; gap: 8px; margin: 24px 0 0; }
button { flex: 1; padding: 12px; font: inherit; color: var(--button); background: none; border: 1px solid var(--button); border-radius: 6px; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--button); outline-offset: 2px; }
@media print {
  :root { color-scheme: light; }
  body { font-size: 10.5pt; line-height: 1.35; }
  body, main { margin: 0; padding: 0; background: #fff; border: 0; max-width: none; }
  .print { display: none; }
  .test, .advice { padding: 0; background: none; font-weight: 600; }
  .tokens strong { font-size: 1.3em; }
}
`;

/** After the style of the page, so that it takes precedence. */
const rollStyle = `
@media print {
  body { font-size: 9pt; line-height: 1.3; }
  img { max-width: 36mm; max-height: 18mm; }
  .tokens strong { font-size: 10.5pt; }
  .tokens, dl { margin-top: 8px; }
}
`;

const gate = new FairGate(limits.receipts);

/** Serves receipts. The signature of a link is checked before the database is read. */
export function serveReceipts(app: FastifyInstance, { services, pepper, clock }: ConsoleDependencies): void {
  limitRequests(app, clock);
  app.get('/r/:link', async (request, reply) => {
    const { link } = request.params as { readonly link: string };
    const network = networkOf(request.ip);
    const sharer = { pool: 'portal', group: network, member: network } as const;
    const secret = await pepper();
    const read = await gate.run(sharer, { withinMs: limits.receiptWaitMs }, tooMany, () =>
      readReceiptOfLink(services.reads, secret, link, clock.now()),
    );
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', receiptPolicy(request.nonce))
      .header('x-robots-tag', 'noindex, nofollow');
    if (typeof read !== 'string') return reply.send(receiptPage(read, request.nonce));
    return reply.code(read === 'unknown' ? 404 : 410).send(noReceiptPage(read, request.nonce));
  });
}

function tooMany(): ConsoleRefusal {
  return new ConsoleRefusal(503, 'receipts_full', 'Too many receipts at once. Try again shortly.', 5);
}
