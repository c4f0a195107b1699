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

export type ProviderScript = {
  readonly reception: Reception;
  /** To the first questions, in their order. */
  readonly lies: readonly Lie[];
  /** Whose fault it says that a refusal is. */
  readonly fault: 'order' | 'provider';
  /**
   * How long its answers are under way: the one to the order, then those to the first questions.
   * Later ones are there at once. So an answer can overtake the one before it.
   */
  readonly answersAfterS: readonly number[];
  /** How often it calls back about what it has decided, each time before an answer is there. */
  readonly callsBack: number;
  /** How many questions it answers before a token comes with its success. */
  readonly owesFor: number;
  /** How many questions it answers before what it took is delivered or refused. */
  readonly worksFor: number;
  /** It forgets an order that it has acknowledged, and delivers it nevertheless. */
  readonly forgets: boolean;
  /** A day after a success it takes it back. */
  readonly takesBack: boolean;
};

const often: readonly Reception[] = ['delivers', 'delivers in silence', 'is never reached', 'refuses'];

export function drawScript(seeded: Seeded): ProviderScript {
  const reception = seeded.happens(0.35) ? seeded.pick(often) : seeded.pick(receptions);
  const callsBack = seeded.happens(0.5) ? seeded.whole(1, 3) : 0;
  return {
    reception,
    lies:
      reception === 'delivers something else' && seeded.happens(0.5) ? ['the opposite'] : drawLies(seeded),
    fault: seeded.pick(['order', 'provider', 'provider']),
    answersAfterS: drawDelays(seeded, callsBack > 0),
    callsBack,
    owesFor: seeded.whole(0, 3),
    worksFor: seeded.whole(0, 2),
    forgets: reception === 'takes it and delivers later' && seeded.happens(0.2),
    takesBack: seeded.happens(0.1),
  };
}

/** A provider that calls back is often slow to answer the order itself. */
function drawDelays(seeded: Seeded, callsBack: boolean): number[] {
  const chances = [callsBack ? 0.7 : 0.25, 0.25, 0.25, 0.25];
  return chances.map((chance) => (seeded.happens(chance) ? seeded.pick([2, 3, 6, 28]) : 0));
}

function drawLies(seeded: Seeded): Lie[] {
  // Three times: a gateway that does not mind the time would believe it.
  if (seeded.happens(0.2)) return Array.from({ length: 3 }, () => 'never heard of it');
  const count = seeded.happens(0.5) ? seeded.whole(1, 3) : 0;
  return Array.from({ length: count }, () => (seeded.happens(0.1) ? 'the opposite' : seeded.pick(lies)));
}

export const honest: ProviderScript = {
  reception: 'delivers',
  lies: [],
  fault: 'order',
  answersAfterS: [],
  callsBack: 0,
  owesFor: 0,
  worksFor: 0,
  forgets: false,
  takesBack: false,
};
