/** Reads eSIM Access's list of packages and our balance. Pure. */
import type { Money } from '../../core/money.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, word } from '../http/reply-fields.ts';
import type { ProviderListing } from '../provider.ts';
import type { Request } from './client.ts';
import { readEnvelope } from './mapping.ts';

/** eSIM Access counts in 1/10,000 of a dollar. */
const UNITS_PER_CENT = 100n;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

export const listRequest: Request = { operation: 'list', path: '/package/list', body: { type: 'BASE' } };

/**
 * Reads the packages that are sold by days and in dollars. Undefined when the reply has no list.
 */
export function readPackages(result: CallResult): readonly ProviderListing[] | undefined {
  const reply = readEnvelope(result);
  if (reply?.isGood !== true || !isBody(reply.obj) || !Array.isArray(reply.obj.packageList)) return undefined;
  return reply.obj.packageList.flatMap((entry) => readPackage(isBody(entry) ? entry : {}));
}

function readPackage(entry: Body): readonly ProviderListing[] {
  const slug = word(entry.slug);
  const price = word(entry.price);
  const { volume, duration } = entry;
  const currency = word(entry.currencyCode)?.toUpperCase();
  const unit = word(entry.durationUnit)?.toUpperCase();
  // A missing field does not mean another currency or unit.
  if ((currency ?? 'USD') !== 'USD' || (unit ?? 'DAY') !== 'DAY') return [];
  if (slug === undefined) return [{ planCodes: {}, title: '', currency: 'USD', isUnreadable: true }];
  const isPriced = price !== undefined && /^[1-9]\d{0,9}$/.test(price) && currency !== undefined;
  if (!isPriced || unit === undefined || !isAmount(volume) || !isAmount(duration)) {
    return [{ planCodes: { slug }, title: word(entry.name) ?? slug, currency: 'USD', isUnreadable: true }];
  }
  const location = word(entry.location) ?? '';
  return [
    {
      planCodes: { slug, price },
      title: word(entry.name) ?? slug,
      currency: 'USD',
      // Round up to the cent, because the charge must cover the price.
      price: (BigInt(price) + UNITS_PER_CENT - 1n) / UNITS_PER_CENT,
      dataMb: megabytesOf(volume),
      durationDays: duration,
      ...(/^[A-Z]{2}$/.test(location) && { country: location }),
    },
  ];
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/**
 * Converts bytes to megabytes, 1,000 to the gigabyte. eSIM Access counts in powers of two: 1 GB is
 * 1,073,741,824 bytes and 500 MB is 524,288,000.
 */
function megabytesOf(bytes: number): number {
  if (bytes % MIB !== 0) return Math.round(bytes / 1_000_000);
  return bytes < GIB ? bytes / MIB : Math.round((1_000 * bytes) / GIB);
}

export const balanceRequest: Request = { operation: 'balance', path: '/balance/query', body: {} };

/** Reads our balance in dollars, rounded down to the cent. */
export function readBalance(result: CallResult): Money | undefined {
  const reply = readEnvelope(result);
  const balance = reply?.isGood === true && isBody(reply.obj) ? word(reply.obj.balance) : undefined;
  if (balance === undefined || !/^\d{1,15}$/.test(balance)) return undefined;
  return { amount: BigInt(balance) / UNITS_PER_CENT, currency: 'USD' };
}
