/**
 * The main subject of a seed: commands and faults that are rare elsewhere occur often enough to
 * coincide.
 */
import type { Command } from './command.ts';
import { providerReferences } from './products.ts';
import { type Habits, usualHabits } from './provider-script.ts';

export type Theme = {
  /** The references of most purchases. Absent: a group is drawn. */
  readonly references?: readonly number[];
  /** How many of a thousand commands are of a kind, roughly. */
  readonly weights: Readonly<Record<Command['kind'], number>>;
  readonly habits: Habits;
  /** The share of sync purchases, if the providers take them. */
  readonly sync: number;
  /** How long all processes are paused. */
  readonly pausesMs: readonly number[];
};

const usualWeights: Theme['weights'] = {
  buy: 250,
  batch: 15,
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

const usual: Theme = {
  weights: usualWeights,
  habits: usualHabits,
  sync: 0.6,
  pausesMs: [10, 300, 6_000, 40_000, 130_000],
};

const breakdowns: Theme = {
  ...usual,
  weights: { ...usualWeights, die: 130, 'lose connection': 120, freeze: 80, 'stand still': 90 },
};

/** Answers about one order overtake each other, and the order is sent again meanwhile. */
const crossingAnswers: Theme = {
  references: providerReferences,
  weights: {
    ...usualWeights,
    buy: 350,
    work: 200,
    freeze: 60,
    die: 40,
    'lose connection': 20,
    'call back': 120,
    'pay in': 10,
    notify: 10,
    refund: 10,
  },
  habits: {
    often: ['refuses', 'refuses', 'refuses', 'takes it in silence and delivers later'],
    oftenShare: 0.9,
    denied: 0,
    liedAbout: 0.2,
    calledBack: 0.9,
    callsMost: 4,
    slow: 0.6,
  },
  sync: 0.1,
  pausesMs: [10, 300, 2_000, 6_000],
};

/** Providers do not find existing orders. Meanwhile they call back, and processes start. */
const denials: Theme = {
  references: providerReferences,
  weights: {
    ...usualWeights,
    buy: 300,
    'go on': 330,
    'stand still': 30,
    freeze: 20,
    die: 150,
    'lose connection': 20,
    'call back': 180,
    'set clock': 220,
    'pay in': 10,
    notify: 10,
    refund: 10,
  },
  habits: {
    often: ['delivers in silence', 'delivers and answers garbage'],
    oftenShare: 0.8,
    denied: 0.8,
    liedAbout: 0.5,
    calledBack: 0.9,
    callsMost: 6,
    slow: 0.1,
  },
  sync: 0.3,
  pausesMs: [10, 300, 2_000, 6_000],
};

/** A payment is read back a second time, because the first time takes too long. */
const moneyIn: Theme = {
  ...usual,
  weights: {
    ...usualWeights,
    buy: 70,
    'go on': 100,
    'stand still': 170,
    work: 350,
    freeze: 120,
    'pay in': 220,
    notify: 80,
    'set clock': 50,
  },
  habits: { ...usualHabits, slow: 0.8 },
  pausesMs: [6_000, 40_000, 130_000, 130_000],
};

const moneyBack: Theme = {
  ...usual,
  weights: { ...usualWeights, work: 150, refund: 150, settle: 60, credit: 30 },
  habits: { ...usualHabits, often: ['delivers'], oftenShare: 0.5 },
};

/** Processes die or pause while they buy the rows of a batch. */
const bulk: Theme = {
  ...usual,
  weights: {
    ...usualWeights,
    buy: 60,
    batch: 160,
    work: 220,
    freeze: 70,
    die: 130,
    'pay in': 40,
    refund: 10,
  },
  pausesMs: [10, 300, 6_000, 40_000, 40_000],
};

export const themes: readonly Theme[] = [
  usual,
  breakdowns,
  crossingAnswers,
  denials,
  moneyIn,
  moneyBack,
  bulk,
];
