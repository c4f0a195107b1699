/** The behaviour of a scripted provider: its treatment of orders, and its answers. */
import type { Seeded } from '../support/seeded.ts';

/** The fate of an order, and the answer to it. */
const receptions = [
  'delivers',
  'delivers in silence',
  'delivers and answers garbage',
  'delivers something else',
  'is never reached',
  'takes it and delivers later',
  'takes it and refuses later',
  'takes it in silence and delivers later',
  'takes it in silence and refuses later',
  'refuses',
  'cannot be called',
] as const;

type Reception = (typeof receptions)[number];

/** The answer to a query before the true outcome. */
const lies = ['silence', 'garbage', 'works on it', 'never heard of it', 'the opposite'] as const;

type Lie = (typeof lies)[number];

/** The answer of a provider about a bill's customer. */
export const customerWords = ['known', 'known', 'known', 'unknown', 'no answer', 'garbage'] as const;

export type CustomerWord = (typeof customerWords)[number];

const faults = ['order', 'provider'] as const;

type Fault = (typeof faults)[number];

export type ProviderScript = {
  readonly reception: Reception;
  /** For the first queries, in order. */
  readonly lies: readonly Lie[];
  /** Whose fault a refusal is reported as: in the answer to the order, then in queries. */
  readonly faults: readonly [Fault, ...Fault[]];
  /**
   * How long its answers take to arrive: first the one to the order, then those to the first
   * queries. Later ones arrive at once. So an answer can overtake an earlier one.
   */
  readonly answersAfterS: readonly number[];
  /** How many callbacks it sends about a decided order before a query returns the decision. */
  readonly callsBack: number;
  /** How many queries it answers before a token comes with its success. */
  readonly owesFor: number;
  /** How many queries it answers before an accepted order is delivered or refused. */
  readonly worksFor: number;
  /** It forgets an order that it has acknowledged, and delivers it nevertheless. */
  readonly forgets: boolean;
  /** It reverses a success after a day. */
  readonly takesBack: boolean;
};

/** How providers behave in a seed. */
export type Habits = {
  /** The most frequent behaviour, and the share of orders that it applies to. */
  readonly often: readonly Reception[];
  readonly oftenShare: number;
  /** The share of orders that are repeatedly answered "not found" at first. */
  readonly denied: number;
  /** The share of the others that are answered falsely at first. */
  readonly liedAbout: number;
  /** The share of orders with callbacks, and the maximum number of callbacks. */
  readonly calledBack: number;
  readonly callsMost: number;
  /** The share of answers that take seconds. */
  readonly slow: number;
};

export const usualHabits: Habits = {
  often: ['delivers', 'delivers in silence', 'is never reached', 'refuses'],
  oftenShare: 0.35,
  denied: 0.2,
  liedAbout: 0.5,
  calledBack: 0.5,
  callsMost: 3,
  slow: 0.25,
};

export function drawScript(seeded: Seeded, habits: Habits): ProviderScript {
  const reception = seeded.happens(habits.oftenShare) ? seeded.pick(habits.often) : seeded.pick(receptions);
  const callsBack = seeded.happens(habits.calledBack) ? seeded.whole(1, habits.callsMost) : 0;
  const isOther = reception === 'delivers something else';
  return {
    reception,
    lies: isOther && seeded.happens(0.5) ? ['the opposite'] : drawLies(seeded, habits),
    faults: [seeded.pick(['order', 'provider', 'provider']), seeded.pick(faults), seeded.pick(faults)],
    answersAfterS: drawDelays(seeded, callsBack > 0, habits.slow),
    callsBack,
    owesFor: seeded.whole(0, 3),
    worksFor: seeded.whole(0, 2),
    forgets: reception === 'takes it and delivers later' && seeded.happens(0.2),
    takesBack: seeded.happens(0.1),
  };
}

/** A provider that sends callbacks is often slow to answer the order itself. */
function drawDelays(seeded: Seeded, callsBack: boolean, slow: number): number[] {
  const chances = [callsBack ? 0.7 : slow, slow, slow, slow];
  return chances.map((chance) => (seeded.happens(chance) ? seeded.pick([2, 3, 6, 28]) : 0));
}

function drawLies(seeded: Seeded, { denied, liedAbout }: Habits): Lie[] {
  // A gateway that ignores the time, or counts no waits, would believe it.
  if (seeded.happens(denied)) return Array.from({ length: seeded.whole(3, 6) }, () => 'never heard of it');
  const count = seeded.happens(liedAbout) ? seeded.whole(1, 3) : 0;
  return Array.from({ length: count }, () => (seeded.happens(0.1) ? 'the opposite' : seeded.pick(lies)));
}

export const honest: ProviderScript = {
  reception: 'delivers',
  lies: [],
  faults: ['order'],
  answersAfterS: [],
  callsBack: 0,
  owesFor: 0,
  worksFor: 0,
  forgets: false,
  takesBack: false,
};
