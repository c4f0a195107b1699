/**
 * The stories that test credentials play: the course of a purchase, by a number of three digits. A
 * purchase names its story by the last digits of its recipient, such as 08000000120, or of an order
 * by its reference, such as oja-120-a-key-of-yours. All of it is data: the provider of test
 * credentials plays it, docs/merchants/test-numbers.md is written from it, and a test plays each.
 *
 * A published story keeps its number and its meaning.
 */
import { billProducts, type ProductName, productNames } from './product.ts';
import { recordOf } from './registry.ts';

/** The behaviour of the provider. */
export type StoryPlay = {
  /**
   * Its answer to the order. `silent`: no answer comes. `down`: the order cannot be sent to it.
   * `short of money`: refused by its own fault.
   */
  readonly first: 'delivered' | 'refused' | 'short of money' | 'accepted' | 'silent' | 'down';
  /** The age of the purchase, in seconds, at `end`. Default: 0. */
  readonly afterS?: number;
  /** The answer to queries from then on. Default: `delivered`. */
  readonly end?: 'delivered' | 'refused' | 'unknown' | 'down';
  /** The age at which its goods arrive; before that it is a success without them. */
  readonly goodsAfterS?: number;
  readonly brings?: 'token and key change' | 'debt cleared';
  /** The biller's answer about the customer. Default: known. */
  readonly customer?: 'rejected' | 'limited' | 'unavailable';
  /** The answer about availability before the order. */
  readonly stock?: 'out_of_stock' | 'preorder' | 'unavailable';
};

/** The outcome. `refused`: nothing is stored, and the HTTP status shows the refusal. */
export type StoryEnd =
  | { readonly kind: 'success' }
  | {
      readonly kind: 'failed';
      readonly reason:
        | 'refused'
        | 'customer_rejected'
        | 'amount_out_of_range'
        | 'not_verified'
        | 'not_found'
        | 'not_sent';
    }
  | { readonly kind: 'refused'; readonly status: 400 | 502 };

export type TestStory = {
  /** Three digits. */
  readonly id: string;
  /** The description for a table of the documents. */
  readonly text: string;
  readonly products: readonly ProductName[];
  /** It applies to products with verified customers. */
  readonly onlyVerified?: true;
  readonly play: StoryPlay;
  readonly end: StoryEnd;
};

/** Ninety-nine stories: the last two digits are the units of time after which it ends. */
export type StoryFamily = Omit<TestStory, 'id'> & {
  /** The first digit. */
  readonly digit: string;
  readonly unitS: number;
};

const withGoods = productNames.filter((product) => {
  const record = recordOf(product);
  return record.kind !== 'direct' && record.owes !== undefined;
});

const success = { kind: 'success' } as const;
const refused = { kind: 'failed', reason: 'refused' } as const;

export const testStories: readonly TestStory[] = [
  {
    id: '101',
    text: 'refused at once, by the network, the biller or the supplier',
    products: productNames,
    play: { first: 'refused' },
    end: refused,
  },
  {
    id: '102',
    text: 'the biller does not accept the customer',
    products: billProducts,
    onlyVerified: true,
    play: { first: 'refused', customer: 'rejected' },
    end: { kind: 'failed', reason: 'customer_rejected' },
  },
  {
    id: '103',
    text: 'the amount is outside the limits of the customer: at least 900000.00',
    products: ['ELECTRICITY'],
    play: { first: 'delivered', customer: 'limited' },
    end: { kind: 'failed', reason: 'amount_out_of_range' },
  },
  {
    id: '104',
    text: 'the customer could not be verified',
    products: billProducts,
    onlyVerified: true,
    play: { first: 'refused', customer: 'unavailable' },
    end: { kind: 'failed', reason: 'not_verified' },
  },
  {
    id: '105',
    text: 'refused because of a fault of the only provider',
    products: productNames,
    play: { first: 'short of money' },
    end: refused,
  },
  {
    id: '110',
    text: 'pending for a few seconds, then delivered',
    products: productNames,
    play: { first: 'accepted', afterS: 3 },
    end: success,
  },
  {
    id: '111',
    text: 'pending for a few seconds, then refused',
    products: productNames,
    play: { first: 'accepted', afterS: 3, end: 'refused' },
    end: refused,
  },
  {
    id: '120',
    text: "delivered, but the provider's answer is lost",
    products: productNames,
    play: { first: 'silent' },
    end: success,
  },
  {
    id: '121',
    text: 'the order is lost: the provider never received it',
    products: productNames,
    play: { first: 'silent', end: 'unknown' },
    end: { kind: 'failed', reason: 'not_found' },
  },
  {
    id: '130',
    text: 'the provider is down for 20 seconds, then delivered',
    products: productNames,
    play: { first: 'down', afterS: 20 },
    end: success,
  },
  {
    id: '131',
    text: 'the provider stays down',
    products: productNames,
    play: { first: 'down', end: 'down' },
    end: { kind: 'failed', reason: 'not_sent' },
  },
  {
    id: '140',
    text: 'delivered, and its goods come ten minutes late: gift cards are pending until then',
    products: withGoods,
    play: { first: 'delivered', goodsAfterS: 600 },
    end: success,
  },
  {
    id: '141',
    text: 'delivered, and its goods come a day late: gift cards are pending until then',
    products: withGoods,
    play: { first: 'delivered', goodsAfterS: 86_400 },
    end: success,
  },
  {
    id: '142',
    text: 'a token with two key change tokens, to be loaded first',
    products: ['ELECTRICITY'],
    play: { first: 'delivered', brings: 'token and key change' },
    end: success,
  },
  {
    id: '143',
    text: 'arrears took the whole payment: no token',
    products: ['ELECTRICITY'],
    play: { first: 'delivered', brings: 'debt cleared' },
    end: success,
  },
  {
    id: '150',
    text: 'out of stock',
    products: ['GIFTCARD'],
    play: { first: 'refused', stock: 'out_of_stock' },
    end: { kind: 'refused', status: 400 },
  },
  {
    id: '151',
    text: 'not released yet',
    products: ['GIFTCARD'],
    play: { first: 'refused', stock: 'preorder' },
    end: { kind: 'refused', status: 400 },
  },
  {
    id: '152',
    text: 'availability could not be checked',
    products: ['GIFTCARD'],
    play: { first: 'refused', stock: 'unavailable' },
    end: { kind: 'refused', status: 502 },
  },
];

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

export const storyFamilies: readonly StoryFamily[] = [
  family('2', MINUTE_S, 'pending for `nn` minutes, then delivered', 'delivered'),
  family('3', MINUTE_S, 'pending for `nn` minutes, then refused', 'refused'),
  family('4', HOUR_S, 'pending for `nn` hours, then delivered', 'delivered'),
  family('5', HOUR_S, 'pending for `nn` hours, then refused', 'refused'),
];

function family(digit: string, unitS: number, text: string, end: 'delivered' | 'refused'): StoryFamily {
  const play = { first: 'accepted', end } as const;
  return { digit, unitS, text, products: productNames, play, end: end === 'delivered' ? success : refused };
}

const byId: ReadonlyMap<string, TestStory> = new Map(testStories.map((story) => [story.id, story]));

/** Undefined if no story has that number, or not for the product. */
export function findStory(id: string, product: string): TestStory | undefined {
  const story = byId.get(id) ?? ofFamily(id);
  return story?.products.some((name) => name === product) ? story : undefined;
}

function ofFamily(id: string): TestStory | undefined {
  if (!/^[0-9]{3}$/.test(id)) return undefined;
  const count = Number(id.slice(1));
  const found = count === 0 ? undefined : storyFamilies.find(({ digit }) => id.startsWith(digit));
  if (found === undefined) return undefined;
  const { digit: _digit, unitS, ...rest } = found;
  return { ...rest, id, play: { ...found.play, afterS: count * unitS } };
}

/** The story that a recipient names. */
export function storyOfRecipient(product: string, recipient: string): TestStory | undefined {
  const id = recipient.slice(-3);
  const isKnown = recordOf(product)?.storyPrefixes.includes(recipient.slice(0, -3));
  return isKnown ? findStory(id, product) : undefined;
}

const ORDER_MARK = /^oja-([0-9]{3})-/;

/** The number of the story that the reference of an order names. */
export function storyOfReference(product: string, reference: string): string | undefined {
  const id = ORDER_MARK.exec(reference)?.[1];
  return id === undefined ? undefined : findStory(id, product)?.id;
}

/** The delivery of a gift card to a customer; its order is a success in any case. */
export type DeliveryStory = {
  readonly id: string;
  readonly text: string;
  readonly outcome: 'refused' | 'unknown' | 'not_sent';
};

export const deliveryStories: readonly DeliveryStory[] = [
  { id: '160', text: 'the address is refused', outcome: 'refused' },
  { id: '161', text: 'it may have arrived, so it is not sent again', outcome: 'unknown' },
  {
    id: '162',
    text: 'it cannot be sent, and is retried for a day and a half',
    outcome: 'not_sent',
  },
];

const DESTINATION = /^(?:oja-|2348000000)([0-9]{3})(?:@.+)?$/;

/** The story that an e-mail address or a phone names, as they are stored. */
export function storyOfDestination(to: string): DeliveryStory | undefined {
  const id = DESTINATION.exec(to)?.[1];
  return deliveryStories.find((story) => story.id === id);
}
