/**
 * Reads what an operator types. Each throws commander's InvalidArgumentError, which says what would
 * be right.
 */
import { InvalidArgumentError } from 'commander';
import { parseDay, parseDuration } from '../kernel/clock.ts';
import { type Environment, environments } from '../kernel/environment.ts';
import { isUuid } from '../kernel/ids.ts';
import { listWords } from '../kernel/list-words.ts';
import { type Currency, parseAmount } from '../kernel/money.ts';
import {
  type Product,
  parseProduct,
  parseVendProduct,
  products,
  type VendProduct,
  vendProducts,
} from '../products/product.ts';

const currencies: readonly Currency[] = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'];

/** For the texts that say what would be right. */
export const vendProductList = vendProducts.join(', ');
export const productList = listWords(products, 'or');

export function readEnvironment(text: string): Environment {
  return oneOf(environments, text.toLowerCase());
}

export function readCurrency(text: string): Currency {
  return oneOf(currencies, text.toUpperCase());
}

export function readProduct(text: string): Product {
  const product = parseProduct(text);
  if (product === undefined) {
    throw new InvalidArgumentError(`It must be ${productList}.`);
  }
  return product;
}

/** Orders too: what can be enabled for a merchant and routed. */
export function readVendProduct(text: string): VendProduct {
  const product = parseVendProduct(text);
  if (product === undefined) {
    throw new InvalidArgumentError(`It must be one of ${vendProductList}.`);
  }
  return product;
}

/** Naira with at most two decimals, with or without a sign, in kobo. */
export function readSignedAmount(text: string): bigint {
  const magnitude = parseAmount(text.replace(/^[+-]/, ''));
  if (magnitude === undefined) {
    throw new InvalidArgumentError('It must be an amount such as 5000, 5000.50 or -5000.');
  }
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** The same without a sign. */
export function readAmount(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === undefined) throw new InvalidArgumentError('It must be an amount such as 5000 or 5000.50.');
  return amount;
}

/** An amount with or without a sign, zero among them, in minor units. */
export function readFloor(text: string): bigint {
  return /^[+-]?0(?:\.0{1,2})?$/.test(text) ? 0n : readSignedAmount(text);
}

/** `2026-11-21`: the first moment of that day in Lagos. */
export function readDay(text: string): Date {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('It must be a day such as 2026-11-21.');
  return day;
}

/** The id of a `thing`, such as a voucher, in any letter case. */
export function readId(thing: string): (text: string) => string {
  return (text) => {
    const id = text.toLowerCase();
    if (!isUuid(id)) throw new InvalidArgumentError(`It must be the id of a ${thing}.`);
    return id;
  };
}

export function readWholeNumber(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,8})$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** `90s`, `15m`, `24h` or `30d`, in milliseconds. */
export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new InvalidArgumentError('It must be a time such as 90s, 15m, 24h or 30d, at most 3650 days.');
  }
  return ms;
}

/** A uniform answer to a value that is none of the listed. */
function oneOf<T extends string>(choices: readonly T[], text: string): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  return found;
}
