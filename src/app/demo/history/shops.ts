/** The merchants of the played week: what each sells, how much, and from what money. */
import type { Product, VendProduct } from '../../../products/product.ts';

export type Shop = {
  readonly code: string;
  readonly name: string;
  /** Its part of all purchases. */
  readonly share: number;
  /** How often it buys what, by weight. */
  readonly buys: readonly (readonly [product: VendProduct, weight: number])[];
  /** In kobo. */
  readonly opening: bigint;
  /** What comes in from its bank, in kobo, on which days of the week that is played. */
  readonly deposits: { readonly amount: bigint; readonly onDays: readonly number[] };
  /** How far below zero its wallet may go, in kobo. */
  readonly credit?: bigint;
  readonly discounts: readonly {
    readonly product: Product;
    readonly network: string;
    readonly basisPoints: number;
  }[];
};

const everyDay = [0, 1, 2, 3, 4, 5, 6, 7];

export const shops: readonly Shop[] = [
  {
    code: 'KUDI',
    name: 'Kudi Agents Network',
    share: 0.46,
    buys: [
      ['airtime', 60],
      ['data', 32],
      ['ELECTRICITY', 8],
    ],
    opening: 900_000_00n,
    deposits: { amount: 300_000_00n, onDays: everyDay },
    discounts: [
      { product: 'airtime', network: 'MTN', basisPoints: 200 },
      { product: 'airtime', network: 'AIRTEL', basisPoints: 200 },
      { product: 'airtime', network: 'GLO', basisPoints: 250 },
      { product: 'data', network: 'MTN', basisPoints: 150 },
    ],
  },
  {
    code: 'EKOBILLS',
    name: 'Eko Bills',
    share: 0.24,
    buys: [
      ['ELECTRICITY', 55],
      ['CABLE', 28],
      ['airtime', 12],
      ['EDUCATION', 5],
    ],
    opening: 600_000_00n,
    deposits: { amount: 900_000_00n, onDays: [1, 3, 4, 6] },
    credit: 1_500_000_00n,
    discounts: [],
  },
  {
    code: 'NAIRAPLAY',
    name: 'Naira Play',
    share: 0.14,
    buys: [
      ['BETTING', 70],
      ['airtime', 20],
      ['data', 10],
    ],
    opening: 250_000_00n,
    deposits: { amount: 260_000_00n, onDays: everyDay },
    discounts: [{ product: 'airtime', network: 'MTN', basisPoints: 100 }],
  },
  {
    code: 'CORNER',
    name: 'Bright Corner Shop',
    share: 0.12,
    buys: [
      ['airtime', 75],
      ['data', 25],
    ],
    opening: 60_000_00n,
    // Too little on some days: its wallet is empty then.
    deposits: { amount: 90_000_00n, onDays: [2, 5] },
    discounts: [],
  },
  {
    code: 'GIFTHUB',
    name: 'Gift Hub Lagos',
    share: 0.04,
    buys: [
      ['GIFTCARD', 68],
      ['ESIM', 24],
      ['data', 8],
    ],
    opening: 3_500_000_00n,
    deposits: { amount: 2_500_000_00n, onDays: [2, 5] },
    discounts: [],
  },
];
