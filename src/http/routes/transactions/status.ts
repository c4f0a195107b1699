/** GET /v1/transactions/status: one purchase by the merchant's own reference, in envelope B. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { GatewayError } from '../../../kernel/errors.ts';
import { isOrderProduct } from '../../../products/product.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { statusAnswer } from '../../plumbing/answers.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { statusEnvelope } from '../../plumbing/envelopes.ts';
import { orderGoods } from '../../plumbing/order-envelopes.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { statusQuery } from '../../plumbing/schemas.ts';

type StatusQuery = Static<typeof statusQuery>;

export function registerStatusRoute(
  app: FastifyInstance,
  { vending }: Pick<ServerDependencies, 'vending'>,
): void {
  const schema = {
    summary: 'Look up a purchase',
    description: 'Send exactly one of the three query parameters: they are names of the same reference.',
    tags: ['Transactions'],
    querystring: statusQuery,
    response: { 200: statusAnswer, ...refusalAnswers(400, 404) },
  };
  app.get<{ Querystring: StatusQuery }>('/v1/transactions/status', { schema }, async (request) => {
    const vend = await vending.findVend(callerOf(request), onlyReference(request.query));
    if (vend === undefined) throw new GatewayError('not_found', 'No purchase with this reference');
    request.vendReference = vend.id;
    const envelope = statusEnvelope(vend);
    return {
      ...envelope,
      payload: { ...envelope.payload, ...(isOrderProduct(vend.product) && orderGoods(vend)) },
    };
  });
}

function onlyReference(query: StatusQuery): string {
  const [reference, ...others] = [query.request_ref, query.request_id, query.client_request_id].filter(
    (value) => value !== undefined,
  );
  if (reference === undefined || others.length > 0) {
    throw new GatewayError('invalid', 'Send exactly one of request_ref, request_id and client_request_id');
  }
  return reference;
}
