/** GET /v1/transactions/status: one purchase by the merchant's own reference, in envelope B. */
import { type Static, Type } from 'typebox';
import { productNames } from '../../../../core/products/product.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { answer } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { cleanText, text } from '../../../plumbing/fields.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { eachOutcome } from '../../../plumbing/openapi/sample-purchases.ts';
import { Refusal } from '../../../plumbing/refusal.ts';
import { statusEnvelope, statusFields } from '../../../plumbing/status-answer.ts';

const words = `the request_ref of a purchase, 1 to 100 characters ${cleanText}`;
const lookupKey = text(words, { format: 'clean-text', examples: ['order-20261121-0001'] });
/** Without an example: pages fill in every example, and only one of the names is accepted. */
const otherName = text(words, { format: 'clean-text' });

/** Exactly one of the three. The route counts them, so that its refusal can name all three. */
const statusQuery = Type.Object({
  request_ref: Type.Optional(lookupKey),
  request_id: Type.Optional(otherName),
  client_request_id: Type.Optional(otherName),
});

type StatusQuery = Static<typeof statusQuery>;

const statusAnswer = answer('StatusAnswer', 'The current state of the purchase.', statusFields);

export function registerStatusRoute(api: Api, { purchases }: Pick<ServerDependencies, 'purchases'>): void {
  const schema = {
    operationId: 'getTransactionStatus',
    summary: 'Look up a purchase',
    description:
      'Send exactly one of the three query parameters: they are names of the same reference. Orders of gift cards and ' +
      'eSIMs are found too.',
    tags: ['Transactions'],
    querystring: statusQuery,
    response: { 200: statusAnswer },
    answerExamples: eachOutcome(productNames, ['success', 'pending', 'failed'], statusEnvelope),
    refusals: [
      shown('not_one_reference', notOneReference()),
      shown('unknown_reference', notFound()),
      { code: 'purchases_locked' },
    ] as const,
  };
  api.get('/v1/transactions/status', { schema }, async (request) => {
    const purchase = await purchases.findPurchase(principalOf(request), onlyReference(request.query));
    if (purchase === undefined) throw notFound();
    request.purchaseReference = purchase.id;
    return statusEnvelope(purchase);
  });
}

function onlyReference(query: StatusQuery): string {
  const [reference, ...others] = [query.request_ref, query.request_id, query.client_request_id].filter(
    (value) => value !== undefined,
  );
  if (reference === undefined || others.length > 0) {
    throw notOneReference();
  }
  return reference;
}

function notFound(): Refusal {
  return new Refusal(404, 'purchase_unknown', 'No purchase with this reference');
}

function notOneReference(): Refusal {
  return new Refusal(
    400,
    'reference_not_single',
    'Send exactly one of request_ref, request_id and client_request_id',
  );
}
