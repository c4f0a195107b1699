/** GET /v1/transactions: the merchant's purchases in pages, newest first, filtered. */
import type { Catalog } from '../../../../catalog/catalog.ts';
import { isUuid } from '../../../../core/ids.ts';
import { isRecord } from '../../../../core/json.ts';
import { parseMobileNumber, withLostZero, withoutDecimals } from '../../../../core/products/mobile-number.ts';
import { parseMobileNetwork } from '../../../../core/products/network.ts';
import { parseProduct, products } from '../../../../core/products/product.ts';
import type { PurchasePageRequest } from '../../../../purchases/history/find-purchases.ts';
import type { Purchase, PurchaseStatus } from '../../../../purchases/state/purchase.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { outcomeCodes } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { compressed } from '../../../plumbing/compress-answer.ts';
import { samplePurchase } from '../../../plumbing/openapi/sample-purchases.ts';
import { failureOf } from '../../../plumbing/outcome-words.ts';
import { purchaseOf, refundOf, timesOf } from '../../../plumbing/purchase-answer.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { refuseField } from '../../../plumbing/refusal.ts';
import {
  defaultPageSize,
  firstPage,
  type ListAnswer,
  type ListItem,
  type ListQuery,
  listAnswer,
  listQuery,
} from './schema.ts';

const statusOf: Readonly<Record<NonNullable<ListQuery['status']>, PurchaseStatus>> = {
  '0': 'success',
  '00': 'success',
  '1': 'failed',
  '01': 'failed',
  '2': 'pending',
  '02': 'pending',
};

export function registerListRoute(
  api: Api,
  { purchases, catalog }: Pick<ServerDependencies, 'purchases' | 'catalog'>,
): void {
  const schema = {
    operationId: 'listTransactions',
    summary: 'List purchases',
    description:
      'Airtime, data and bills, newest first. Orders of gift cards and eSIMs are not transactions, and are not listed.',
    tags: ['Transactions'],
    querystring: listQuery,
    response: { 200: listAnswer },
    refusals: [{ code: 'page_too_deep' }] as const,
    answerExamples: {
      page: pageOf(products.map((product) => listItem(samplePurchase(product, 'success')))),
      empty: pageOf([]),
    },
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> => {
    readWholeNumbers(query, ['page', 'limit']);
    if (isRecord(query)) spellFilters(query);
  };
  api.get(
    '/v1/transactions',
    { schema, preValidation, ...compressed },
    async (request): Promise<ListAnswer> => {
      const filter = toFilter(catalog, request.query);
      const { page, limit } = filter;
      const { items, totalItems, totalPages, nextCursor } = await purchases.listPurchases(
        principalOf(request),
        filter,
      );
      return {
        state: 'ok',
        result: {
          items: items.map(listItem),
          page_info: {
            total_items: totalItems,
            page,
            page_size: limit,
            total_pages: totalPages,
            next_cursor: nextCursor ?? null,
          },
        },
      };
    },
  );
}

/** The one page of a short list. */
function pageOf(items: readonly ListItem[]): ListAnswer {
  const { length } = items;
  const pages = {
    page: firstPage,
    page_size: defaultPageSize,
    total_pages: Math.ceil(length / defaultPageSize),
  };
  const page_info = { total_items: length, ...pages, next_cursor: null };
  return { state: 'ok', result: { items: [...items], page_info } };
}

function toFilter(catalog: Pick<Catalog, 'findBillNetwork'>, query: ListQuery): PurchasePageRequest {
  const { page = firstPage, limit = defaultPageSize, cursor } = query;
  if (cursor !== undefined && (!isUuid(cursor) || page !== firstPage)) {
    throw refuseField(
      'cursor',
      'cursor_malformed',
      'cursor must be the next_cursor of the previous page, sent without page',
    );
  }
  return {
    page,
    limit,
    ...(cursor !== undefined ? { cursor } : {}),
    ...(query.msisdn !== undefined ? { recipients: recipientsOf(query.msisdn) } : {}),
    ...(query.network !== undefined ? { network: networkOf(catalog, query.network) } : {}),
    ...(query.status !== undefined ? { status: statusOf[query.status] } : {}),
    ...(query.product !== undefined ? { product: query.product } : {}),
  };
}

/** Puts a product into its canonical spelling, and removes spaces and dashes from a number. */
function spellFilters(query: Record<string, unknown>): void {
  const { product, msisdn } = query;
  if (typeof product === 'string') query.product = parseProduct(product) ?? product;
  if (typeof msisdn !== 'string') return;
  // A plus sign that is not percent-encoded arrives as a space.
  const compact = withoutDecimals(msisdn.replace(/\p{Zs}/gu, ''));
  const digits = compact.replace(/[().\p{Pd}]/gu, '');
  query.msisdn = parseMobileNumber(withLostZero(digits)) === undefined ? compact : digits;
}

/**
 * The customer of a bill is stored as sent, and a mobile number in its normal form. Ten or eleven
 * digits may be either.
 */
function recipientsOf(msisdn: string): readonly string[] {
  const local = withLostZero(msisdn);
  const mobile = parseMobileNumber(local);
  return [...new Set([msisdn, local, mobile ?? msisdn])];
}

function networkOf(catalog: Pick<Catalog, 'findBillNetwork'>, text: string): string {
  const network = parseMobileNetwork(text) ?? catalog.findBillNetwork(text);
  if (network === undefined) {
    throw refuseField(
      'network',
      'network_unknown',
      'network must be the name of a mobile or bill network, such as "mtn" or "EKEDC"',
    );
  }
  return network;
}

function listItem(purchase: Purchase): ListItem {
  return {
    ...purchaseOf(purchase),
    status: purchase.status,
    code: outcomeCodes[purchase.status],
    ...timesOf(purchase),
    ...failureOf(purchase),
    ...refundOf(purchase),
  };
}
