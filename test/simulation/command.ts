/** The commands that a simulation is made of, and how a seed draws them. */
import type { BatchChange } from '../../src/purchases/batches/change-batch.ts';
import { createSeeded, type Seeded } from '../support/seeded.ts';
import { files } from './batches.ts';
import { allReferences, drawGoods, isOfPanels, type Product, referenceGroups } from './products.ts';
import { type CustomerWord, customerWords, drawScript, type ProviderScript } from './provider-script.ts';
import { type BankScript, drawBankScript } from './scripted-bank.ts';
import { type Theme, themes } from './theme.ts';

export const processes = [0, 1, 2] as const;
export type ProcessNumber = (typeof processes)[number];

/** When jobs begin in a time of work. `left`: at its end, and none of their steps happens yet. */
export type JobTime = 'first' | 'last' | 'left';

export type Buy = Extract<Command, { readonly kind: 'buy' }>;

export type Command =
  | {
      readonly kind: 'buy';
      readonly process: ProcessNumber;
      readonly reference: number;
      readonly product: Product;
      /** In naira. */
      readonly amount: number;
      readonly mode: 'sync' | 'async';
      /** The answers of providers about a bill's customer, in order. */
      readonly customers: readonly CustomerWord[];
      readonly scripts: readonly ProviderScript[];
    }
  /** The merchant uploads a file, perhaps again, and starts, pauses, resumes or stops its batch. */
  | {
      readonly kind: 'batch';
      readonly process: ProcessNumber;
      readonly file: number;
      readonly to: BatchChange;
      /** The results of the rows' orders: each row begins with a different one. */
      readonly scripts: readonly ProviderScript[];
    }
  /** This many of the waiting steps happen, in an order that `order` draws. */
  | { readonly kind: 'go on'; readonly count: number; readonly order: number }
  /** Time passes at once, without any action of a process. */
  | { readonly kind: 'stand still'; readonly ms: number }
  /** Time passes, and every process does its work. */
  | { readonly kind: 'work'; readonly seconds: number; readonly jobs: JobTime }
  /** `arrives`: sent requests still arrive, and their answers are lost. */
  /** The process is paused this long, and the others continue. */
  | { readonly kind: 'freeze'; readonly process: ProcessNumber; readonly seconds: number }
  | { readonly kind: 'die'; readonly process: ProcessNumber; readonly arrives: boolean }
  | { readonly kind: 'lose connection'; readonly order: number; readonly stored: boolean }
  /** `order` chooses one of the recorded purchases: the merchant requests its status. */
  | { readonly kind: 'look up'; readonly process: ProcessNumber; readonly order: number }
  | { readonly kind: 'call back'; readonly process: ProcessNumber; readonly order: number }
  | {
      readonly kind: 'pay in';
      /** The gateway that the bank's notice reaches at once; without one it must be found. */
      readonly process: ProcessNumber | undefined;
      readonly payment: number;
      readonly amount: number;
      readonly script: BankScript;
    }
  | {
      readonly kind: 'notify';
      readonly process: ProcessNumber;
      readonly payment: number;
      readonly isForged: boolean;
    }
  | { readonly kind: 'credit'; readonly amount: number }
  | { readonly kind: 'settle'; readonly reference: number }
  /** A person who is not sure repeats it. */
  | { readonly kind: 'refund'; readonly order: number; readonly part: number; readonly times: number }
  | { readonly kind: 'set clock'; readonly of: 'database' | ProcessNumber; readonly seconds: number };

/** The default number of commands of a seed. */
export const STEPS = 30;

const PAYMENTS = 8;

/** The share of references from the group that the seed prefers. */
const PREFERRED_REFERENCES = 0.8;

export function drawCommands(seed: number, count: number): Command[] {
  const seeded = createSeeded(seed);
  const theme = seeded.pick(themes);
  const group = theme.references ?? seeded.pick(referenceGroups);
  return Array.from({ length: count }, () => draws[drawKind(seeded, theme)](seeded, theme, group));
}

/** `group`: the references that the seed prefers. */
type Draw<Kind extends Command['kind']> = (
  seeded: Seeded,
  theme: Theme,
  group: readonly number[],
) => Extract<Command, { readonly kind: Kind }>;

const drawReference = (seeded: Seeded, group: readonly number[]): number =>
  seeded.pick(seeded.happens(PREFERRED_REFERENCES) ? group : allReferences);
const drawOrder = (seeded: Seeded): number => seeded.whole(0, 2 ** 31);
const drawProcess = (seeded: Seeded): ProcessNumber => seeded.pick(processes);

const draws: { readonly [Kind in Command['kind']]: Draw<Kind> } = {
  buy: drawPurchase,
  batch: (seeded, { habits }) => ({
    kind: 'batch',
    process: drawProcess(seeded),
    file: seeded.pick(files),
    to: seeded.pick(['running', 'running', 'running', 'running', 'running', 'paused', 'paused', 'stopped']),
    scripts: [drawScript(seeded, habits), drawScript(seeded, habits), drawScript(seeded, habits)],
  }),
  'go on': (seeded) => ({ kind: 'go on', count: seeded.whole(1, 10), order: drawOrder(seeded) }),
  'stand still': (seeded, { pausesMs }) => ({ kind: 'stand still', ms: seeded.pick(pausesMs) }),
  work: (seeded) => ({
    kind: 'work',
    seconds: seeded.pick([1, 4, 8, 8]),
    jobs: seeded.pick(['first', 'first', 'last', 'left']),
  }),
  freeze: (seeded) => ({
    kind: 'freeze',
    process: drawProcess(seeded),
    seconds: seeded.pick([4, 12, 60, 200]),
  }),
  die: (seeded) => ({ kind: 'die', process: drawProcess(seeded), arrives: seeded.happens(0.5) }),
  'lose connection': (seeded) => ({
    kind: 'lose connection',
    order: drawOrder(seeded),
    stored: seeded.happens(0.5),
  }),
  'look up': (seeded) => ({ kind: 'look up', process: drawProcess(seeded), order: drawOrder(seeded) }),
  'call back': (seeded) => ({ kind: 'call back', process: drawProcess(seeded), order: drawOrder(seeded) }),
  'pay in': (seeded, { habits }) => ({
    kind: 'pay in',
    process: seeded.happens(0.5) ? drawProcess(seeded) : undefined,
    payment: seeded.whole(1, PAYMENTS),
    amount: seeded.pick([1_000, 5_000]),
    script: drawBankScript(seeded, habits.slow),
  }),
  notify: (seeded) => ({
    kind: 'notify',
    process: drawProcess(seeded),
    payment: seeded.whole(1, PAYMENTS),
    isForged: seeded.happens(0.3),
  }),
  credit: (seeded) => ({ kind: 'credit', amount: seeded.pick([-50, 200, 500]) }),
  settle: (seeded, _, group) => ({ kind: 'settle', reference: drawReference(seeded, group) }),
  refund: (seeded) => ({
    kind: 'refund',
    order: drawOrder(seeded),
    part: seeded.whole(1, 3),
    times: seeded.happens(0.3) ? 2 : 1,
  }),
  'set clock': (seeded) => ({
    kind: 'set clock',
    of: seeded.happens(0.5) ? 'database' : drawProcess(seeded),
    seconds: seeded.pick([-3_600, -30, 30, 3_600]),
  }),
};

function drawKind(seeded: Seeded, { weights }: Theme): Command['kind'] {
  let left = seeded.draw() * Object.values(weights).reduce((sum, weight) => sum + weight);
  for (const [kind, weight] of Object.entries(weights)) {
    left -= weight;
    if (left < 0) return kind as Command['kind'];
  }
  return 'buy';
}

function drawPurchase(seeded: Seeded, { habits, sync }: Theme, group: readonly number[]): Buy {
  const reference = drawReference(seeded, group);
  return {
    kind: 'buy',
    process: drawProcess(seeded),
    reference,
    ...drawGoods(seeded, reference),
    mode: seeded.happens(isOfPanels(reference) ? 0.1 : sync) ? 'sync' : 'async',
    customers: [seeded.pick(customerWords), seeded.pick(customerWords)],
    scripts: [drawScript(seeded, habits), drawScript(seeded, habits), drawScript(seeded, habits)],
  };
}

/** The merchant's own reference. */
export function purchaseName(reference: number): string {
  return `P${reference}`;
}
