/**
 * What a seed is mostly about: commands and faults that are rare elsewhere come often enough to
 * meet each other.
 */
import type { Command } from './command.ts';
import { providerReferences } from './products.ts';
import { type Habits, usualHabits } from './provider-script.ts';

export type Theme = {
  /** The references of most purchases; without them a group is drawn. */
  readonly references?: readonly number[];
  /** How many of a thousand commands are of a kind, roughly. */
  readonly weights: Readonly<Record<Command['kind'], number>>;
  readonly habits: Habits;
};

const usualWeights: Theme['weights'] = {
  buy: 250,
  'go on': 270,
  'stand still': 60,
  work: 100,
  freeze: 40,
  die: 70,
  'lose connection': 40,
  'look up': 15,
  'call back': 30,
  'pay in': 25,
  notify: 25,
  credit: 10,
  settle: 20,
  refund: 25,
  'set clock': 20,
};

const usual: Theme = { weights: usualWeights, habits: usualHabits };

const breakdowns: Theme = {
  ...usual,
  weights: { ...usualWeights, die: 130, 'lose connection': 120, freeze: 80, 'stand still': 90 },
};

/** Answers about one order overtake each other, and the order is sent again meanwhile. */
const crossingAnswers: Theme = {
  references: providerReferences,
  weights: { ...usualWeights, 'go on': 300, 'call back': 120, work: 140, freeze: 80, 'stand still': 30 },
  habits: {
    ...usualHabits,
    often: ['refuses', 'refuses', 'takes it in silence and refuses later', 'delivers'],
    oftenShare: 0.8,
    denied: 0.05,
    calledBack: 0.8,
    slow: 0.5,
  },
};

/** Providers do not find what they have, while they call back, clocks are set and processes begin. */
const denials: Theme = {
  references: providerReferences,
  weights: {
    ...usualWeights,
    'go on': 250,
    'stand still': 20,
    work: 150,
    freeze: 20,
    die: 130,
    'call back': 130,
    'set clock': 160,
  },
  habits: {
    often: ['delivers in silence', 'delivers and answers garbage'],
    oftenShare: 0.8,
    denied: 0.8,
    calledBack: 0.9,
    callsMost: 6,
    slow: 0.1,
  },
};

/** A payment is read back a second time, because the first time takes too long. */
const moneyIn: Theme = {
  weights: {
    ...usualWeights,
    buy: 80,
    'go on': 120,
    'stand still': 250,
    work: 250,
    freeze: 160,
    'pay in': 150,
    notify: 80,
    'set clock': 60,
  },
  habits: { ...usualHabits, slow: 0.8 },
};

const moneyBack: Theme = {
  weights: { ...usualWeights, work: 150, refund: 150, settle: 60, credit: 30 },
  habits: { ...usualHabits, often: ['delivers'], oftenShare: 0.5 },
};

export const themes: readonly Theme[] = [usual, breakdowns, crossingAnswers, denials, moneyIn, moneyBack];
