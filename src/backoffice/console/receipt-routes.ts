/**
 * Serves receipts to customers at the portal, by signed links. The signature is checked before the
 * database is read.
 */
import type { FastifyInstance } from 'fastify';
import { FairGate } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';
import { networkOf } from '../../core/network-of.ts';
import { readReceiptOfLink } from '../../purchases/receipts/read-receipt.ts';
import { ConsoleRefusal } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { limitRequests } from './protect.ts';
import { noReceiptPage, receiptPage, receiptPolicy } from './receipt-page.ts';

const gate = new FairGate(limits.receipts);

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
