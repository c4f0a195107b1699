/** GET /v1/transactions: the merchant's purchases in pages, newest first, filtered. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { invalidField } from '../../../kernel/errors.ts';
import { parseMobileNumber } from '../../../products/mobile-number.ts';
import { parseMobileNetwork } from '../../../products/network.ts';
import type { VendStatus } from '../../../vending/vend/vend.ts';
import type { BillCatalog, ServerDependencies, VendFilter } from '../../dependencies.ts';
import { listAnswer } from '../../plumbing/answers.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { listRow } from '../../plumbing/envelopes.ts';
import { readWholeNumbers } from '../../plumbing/read-fields.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { defaultPageSize, firstPage, listQuery } from '../../plumbing/schemas.ts';

type ListQuery = Static<typeof listQuery>;

const statusOf: Readonly<Record<NonNullable<ListQuery['status']>, VendStatus>> = {
  '0': 'success',
  '00': 'success',
  '1': 'failed',
  '01': 'failed',
  '2': 'pending',
  '02': 'pending',
};

export function registerListRoute(
  app: FastifyInstance,
  { vending, bills }: Pick<ServerDependencies, 'vending' | 'bills'>,
): void {
  const schema = {
    summary: 'List purchases',
    tags: ['Transactions'],
    querystring: listQuery,
    response: { 200: listAnswer, ...refusalAnswers(400) },
  };
  const preValidation = async (request: FastifyRequest): Promise<void> =>
    readWholeNumbers(request.query, ['page', 'limit']);
  app.get<{ Querystring: ListQuery }>('/v1/transactions', { schema, preValidation }, async (request) => {
    const filter = toFilter(bills, request.query);
    const { page, limit } = filter;
    const { items, totalItems } = await vending.listVends(callerOf(request), filter);
    return {
      state: 'ok',
      result: {
        items: items.map(listRow),
        page_info: {
          total_items: totalItems,
          page,
          page_size: limit,
          total_pages: Math.ceil(totalItems / limit),
        },
      },
    };
  });
}

function toFilter(bills: BillCatalog, query: ListQuery): VendFilter {
  return {
    page: query.page ?? firstPage,
    limit: query.limit ?? defaultPageSize,
    ...(query.msisdn !== undefined ? { recipients: recipientsOf(query.msisdn) } : {}),
    ...(query.network !== undefined ? { network: networkOf(bills, query.network) } : {}),
    ...(query.status !== undefined ? { status: statusOf[query.status] } : {}),
  };
}

/** The customer of a bill is on record as sent, a mobile number in its normal form; eleven digits may be either. */
function recipientsOf(msisdn: string): readonly string[] {
  const mobile = parseMobileNumber(msisdn);
  return mobile === undefined || mobile === msisdn ? [msisdn] : [msisdn, mobile];
}

function networkOf(bills: BillCatalog, text: string): string {
  const network = parseMobileNetwork(text) ?? bills.findBiller(undefined, text)?.network;
  if (network === undefined) {
    throw invalidField(
      'network',
      'network must be the name of a mobile or bill network, such as "mtn" or "EKEDC"',
    );
  }
  return network;
}
