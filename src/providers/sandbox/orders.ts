/**
 * Makes the placeholder gift cards and eSIMs of test credentials. They depend on the order's
 * reference only, so every answer about an order is the same.
 */

import { createHash } from 'node:crypto';
import { invariant } from '../../core/errors.ts';
import { parseMobileNumber } from '../../core/products/mobile-number.ts';
import { directProducts } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import { findStory, type StoryPlay, storyOfRecipient } from '../../core/products/test-stories.ts';
import type { Goods, ProviderOrder } from '../provider.ts';

const SMDP_ADDRESS = 'smdp.sandbox.example';
/** The range of a test issuer: 89 for telecom, 234 for the country, then an unused number. */
const ICCID_PREFIX = '8923400';
const ICCID_LENGTH = 19;

export function orderGoods(order: ProviderOrder): Goods {
  const record = recordOf(order.product);
  invariant(record?.kind === 'order', 'only products of orders have goods here');
  return record.owes.goods === 'iccid' ? esim(order.reference) : cards(order);
}

function cards({ reference, item }: ProviderOrder): Goods {
  const quantity = item?.quantity ?? 1;
  return {
    cards: Array.from({ length: quantity }, (_, index) => ({
      card_number: `TEST-${digits(`${reference}/${index}/number`, 12).replace(/(.{4})(?=.)/g, '$1-')}`,
      pin: digits(`${reference}/${index}/pin`, 6),
      claim_url: `https://cards.sandbox.example/claim/${hex(`${reference}/${index}/url`).slice(0, 16)}`,
    })),
    reference_code: `SBX-${hex(reference).slice(0, 10).toUpperCase()}`,
  };
}

function esim(reference: string): Goods {
  const body = `${ICCID_PREFIX}${digits(`${reference}/iccid`, ICCID_LENGTH - 1 - ICCID_PREFIX.length)}`;
  const activationCode = hex(`${reference}/activation`).slice(0, 20).toUpperCase();
  return {
    iccid: `${body}${luhnDigit(body)}`,
    activation_code: activationCode,
    smdp_address: SMDP_ADDRESS,
    lpa: `LPA:1$${SMDP_ADDRESS}$${activationCode}`,
    redemption_instructions:
      'Test eSIM: it installs nothing. For a real one, scan the QR code under Settings, Mobile Data, Add eSIM.',
    reference_code: `SBX-${hex(reference).slice(0, 10).toUpperCase()}`,
  };
}

/** Computes the Luhn check digit of an ICCID. */
function luhnDigit(body: string): number {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}

function digits(seed: string, count: number): string {
  return String(BigInt(`0x${hex(seed)}`)).slice(-count);
}

function hex(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

const deliveredAtOnce: StoryPlay = { first: 'delivered' };

/** The scenarios of the short test numbers, by product and recipient. */
const byNumber: ReadonlyMap<string, ReadonlyMap<string, StoryPlay>> = new Map(
  directProducts.map((product) => [
    product,
    new Map(
      recordOf(product).testNumbers.map(({ number, story }) => [
        parseMobileNumber(number) ?? number,
        playOfStory(story, product),
      ]),
    ),
  ]),
);

/** The scenarios of test plans, by the name in the catalog. */
const scenarios: Readonly<Record<string, string>> = { failed: '101', pending: '110' };

/** Returns the scenario that an order plays. */
export function playOf({ product, recipient, story, planCodes }: ProviderOrder): StoryPlay {
  const record = recordOf(product);
  if (record?.kind === 'order') {
    const scenario = planCodes?.scenario;
    const planned = scenario === undefined ? record.testStory : scenarios[scenario];
    return playOfStory(story ?? planned, product);
  }
  return (
    byNumber.get(product)?.get(recipient) ?? storyOfRecipient(product, recipient)?.play ?? deliveredAtOnce
  );
}

function playOfStory(id: string | undefined, product: string): StoryPlay {
  return (id === undefined ? undefined : findStory(id, product)?.play) ?? deliveredAtOnce;
}
