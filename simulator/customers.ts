/**
 * The customers of the simulated billers. There is no list: any plausible identifier is a customer,
 * the same at every provider. Identifiers that end in 000 are unknown, and the few below are
 * special customers.
 */
import { createHash } from 'node:crypto';

export type BillProduct = 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';

export type SimulatedCustomer = {
  readonly name: string;
  readonly address: string;
  /** Prepaid meters: the token and units of a payment. */
  readonly gets: 'token' | 'token and key change' | 'debt cleared';
  readonly canVend: boolean;
};

type Particular = Partial<Pick<SimulatedCustomer, 'gets' | 'canVend'>> & {
  /** The only kind of meter, or the only cable network, that the customer has. */
  readonly only?: string;
};

const METERS: Readonly<Record<string, Particular>> = {
  '10000000001': { only: 'prepaid' },
  '10000000002': { only: 'postpaid' },
  '10000000003': { only: 'prepaid', gets: 'token and key change' },
  '10000000004': { only: 'prepaid', gets: 'debt cleared' },
  '10000000005': { canVend: false },
  // VTpass's own test meters.
  '1111111111111': { only: 'prepaid' },
  '1010101010101': { only: 'postpaid' },
};

const SMARTCARDS: Readonly<Record<string, Particular>> = {
  '10000000010': { only: 'DSTV' },
  '10000000020': { only: 'GOTV' },
  '10000000030': { only: 'STARTIMES' },
};

/** VTpass's test numbers whose payments fail; verification accepts them like any other. */
const MISBEHAVING = /^[2345]0[01]000000000$/;

const SHAPES: Readonly<Record<BillProduct, RegExp>> = {
  ELECTRICITY: /^(?:\d{6,13}|\d+(?:\/\d+)+(?:-\d\d)?)$/,
  CABLE: /^\d{10,12}$/,
  BETTING: /^[0-9A-Za-z]{3,30}$/,
  EDUCATION: /^\d{10}$/,
};

export function isPlausible(product: BillProduct, recipient: string): boolean {
  return SHAPES[product].test(recipient);
}

/** `as` is the requested kind of meter or cable network, if the provider gets it. */
export function findCustomer(
  product: BillProduct,
  recipient: string,
  as?: string,
): SimulatedCustomer | undefined {
  if (!isPlausible(product, recipient)) return undefined;
  if (recipient.endsWith('000') && !MISBEHAVING.test(recipient)) return undefined;
  const { only, gets = 'token', canVend = true } = particularOf(product, recipient);
  if (only !== undefined && as !== undefined && only !== as) return undefined;
  const number = digitsFrom(recipient, 'customer');
  const name = `${pick(FIRST_NAMES, number.slice(0, 6))} ${pick(LAST_NAMES, number.slice(6, 12))}`;
  return { name, address: `${Number(number.slice(12, 14)) + 1} Market Road`, gets, canVend };
}

function particularOf(product: BillProduct, recipient: string): Particular {
  if (product === 'ELECTRICITY') return METERS[recipient] ?? {};
  return (product === 'CABLE' ? SMARTCARDS[recipient] : undefined) ?? {};
}

const FIRST_NAMES = [
  'ADAEZE',
  'BABATUNDE',
  'CHINEDU',
  'DAMILOLA',
  'EFE',
  'FATIMA',
  'HALIMA',
  'IBRAHIM',
] as const;
const LAST_NAMES = [
  'ABUBAKAR',
  'BELLO',
  'DANJUMA',
  'EZE',
  'NWOSU',
  'OGUNLEYE',
  'OKAFOR',
  'WILLIAMS',
] as const;

function pick(names: readonly string[], digits: string): string {
  return names[Number(digits) % names.length] ?? '';
}

/** Twenty digits that are always the same for this text and purpose: tokens, among others. */
export function digitsFrom(text: string, purpose: string): string {
  const hash = createHash('sha256').update(`${purpose} ${text}`).digest('hex');
  return (BigInt(`0x${hash}`) % 10n ** 20n).toString().padStart(20, '0');
}

const KOBO_PER_TENTH_OF_KWH = 20_95n;

/** Kilowatt hours to one decimal, for an amount in kobo. */
export function unitsFor(amount: bigint): string {
  const tenths = amount / KOBO_PER_TENTH_OF_KWH;
  return `${tenths / 10n}.${tenths % 10n}`;
}
