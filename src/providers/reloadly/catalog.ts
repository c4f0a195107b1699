/**
 * Reads Reloadly's catalog: whether a card is available now, and the list of all cards. Reads our
 * balance too. Pure.
 */
import { currencies, isCurrency, type Money } from '../../core/money.ts';
import { type Body, isBody, minorUnits, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { AvailabilityAnswer, AvailabilityQuery, CardValues, ProviderListing } from '../provider.ts';
import type { Request } from './client.ts';
import { listOf } from './mapping.ts';

const ACTIVE = 'ACTIVE';
const INVALID_PRODUCT = 'INVALID_PRODUCT';
/** Reloadly allows 200, but instructions can be long and a reply is read up to a megabyte. */
const PAGE_SIZE = 100;

export function toProductRequest(productId: number): Request {
  return { operation: 'availability', method: 'GET', path: `/products/${productId}` };
}

export function toPageRequest(page: number): Request {
  return { operation: 'catalog', method: 'GET', path: `/products?size=${PAGE_SIZE}&page=${page}` };
}

/**
 * Reads whether a card is available. Reloadly has no stock: it sells a product now, later or not.
 */
export function readAvailability(query: AvailabilityQuery, result: TokenedResult): AvailabilityAnswer {
  if (result.kind !== 'reply') return { kind: 'unavailable', code: 'no_answer', message: result.reason };
  const { status, body } = result;
  const product = isBody(body) ? body : {};
  if (status === 404 && product.errorCode === INVALID_PRODUCT) return soldOut('This card is no longer sold');
  if (status >= 300 || word(product.productId) !== query.planCodes?.product_id) {
    const code = word(product.errorCode) ?? `http_${status}`;
    return { kind: 'unavailable', code, message: `HTTP ${status}, no readable product` };
  }
  const state = word(product.status)?.toUpperCase() ?? ACTIVE;
  if (state !== ACTIVE && product.supportsPreOrder === true) {
    return { kind: 'known', fulfillment: 'preorder', detail: 'This card is sold for later delivery only' };
  }
  if (state !== ACTIVE) return soldOut('This card is out of stock');
  if (isBody(product.additionalRequirements) && product.additionalRequirements.userIdRequired === true) {
    return soldOut('This card needs the user id of its receiver and is not available');
  }
  const sells = valuesOf(product);
  return { kind: 'known', fulfillment: 'immediate', detail: 'Delivered at once', sells };
}

function soldOut(detail: string): AvailabilityAnswer {
  return { kind: 'known', fulfillment: 'out_of_stock', detail };
}

function valuesOf(product: Body): CardValues {
  const currency = word(product.recipientCurrencyCode) ?? '';
  const { min, max } = rangeOf(product);
  if (min !== undefined && max !== undefined) return { currency, min, max };
  return { currency, values: fixedValues(product) };
}

export type Page = { readonly listings: readonly ProviderListing[]; readonly isLast: boolean };

/** Reads a page of the product list. Undefined when the reply is not a page. */
export function readPage(result: TokenedResult): Page | undefined {
  if (result.kind !== 'reply' || result.status >= 300) return undefined;
  const { body } = result;
  const products = listOf(body);
  if (products === undefined) return undefined;
  return { listings: products.flatMap(readProduct), isLast: isLastPage(body, products.length) };
}

/** Tells whether a page is the last one. Without that field, an empty page is the last. */
function isLastPage(body: unknown, count: number): boolean {
  // A bare list is the only page.
  if (!isBody(body) || count === 0) return true;
  const { last, number, totalPages } = body;
  if (typeof last === 'boolean') return last;
  return typeof number === 'number' && typeof totalPages === 'number' && number + 1 >= totalPages;
}

/**
 * Reads one listing for each fixed value, or one for a range. Leaves out products that are not sold
 * now or not in a currency of Oja.
 */
function readProduct(product: Body): readonly ProviderListing[] {
  const product_id = word(product.productId);
  const currency = word(product.recipientCurrencyCode)?.toUpperCase();
  const state = word(product.status)?.toUpperCase() ?? ACTIVE;
  if (state !== ACTIVE || (currency !== undefined && !isCurrency(currency))) return [];
  const title = word(product.productName) ?? product_id ?? '';
  if (product_id === undefined || currency === undefined) {
    const planCodes = product_id === undefined ? {} : { product_id };
    // Without a currency, it may be any of them.
    const possible = currency === undefined ? currencies : [currency];
    return possible.map((one) => ({ planCodes, title, currency: one, isUnreadable: true }));
  }
  const brand = isBody(product.brand) ? word(product.brand.brandName) : undefined;
  const category = isBody(product.category) ? word(product.category.name) : undefined;
  const country = isBody(product.country) ? word(product.country.isoName)?.toUpperCase() : undefined;
  const listing = {
    planCodes: { product_id },
    title,
    currency,
    ...(brand !== undefined && { brand }),
    ...(category !== undefined && { category }),
    ...(country !== undefined && /^[A-Z]{2}$/.test(country) && { country }),
  };
  const { min, max } = rangeOf(product);
  if (min !== undefined && max !== undefined) return [{ ...listing, minPrice: min, maxPrice: max }];
  const values = fixedValues(product);
  const listed: unknown = product.fixedRecipientDenominations;
  const isWhole =
    product.denominationType !== 'RANGE' && Array.isArray(listed) && values.length === listed.length;
  return [
    ...values.map((price) => ({ ...listing, price })),
    ...(isWhole ? [] : [{ ...listing, isUnreadable: true } as const]),
  ];
}

/** Reads the range of values. Reloadly's documentation spells one field in two ways. */
function rangeOf(product: Body): { readonly min: bigint | undefined; readonly max: bigint | undefined } {
  if (product.denominationType !== 'RANGE') return { min: undefined, max: undefined };
  return {
    min: minorUnits(product.minRecipientDenomination),
    max: minorUnits(product.maxRecipientDenomination ?? product.maxrecipientDenomination),
  };
}

function fixedValues({ denominationType, fixedRecipientDenominations }: Body): readonly bigint[] {
  if (denominationType === 'RANGE' || !Array.isArray(fixedRecipientDenominations)) return [];
  return fixedRecipientDenominations.flatMap((value) => {
    const minor = minorUnits(value);
    return minor === undefined || minor === 0n ? [] : [minor];
  });
}

export const balanceRequest: Request = { operation: 'balance', method: 'GET', path: '/accounts/balance' };

/** Reads our balance. Undefined for a currency that Oja does not have. */
export function readBalance(result: TokenedResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { balance, currencyCode } = result.body;
  const amount = minorUnits(balance);
  return amount !== undefined && isCurrency(currencyCode) ? { amount, currency: currencyCode } : undefined;
}
