/** A row of the table, and how often it is measured. */
import type { ResultRow } from '../../bench/results.ts';

export type Row = Omit<ResultRow, 'scenario' | 'drawn'>;

export type Rounds = {
  readonly rounds: number;
  /** The numbers of purchases, and of one lookup. */
  readonly seconds: number;
  readonly lookupS: number;
};
