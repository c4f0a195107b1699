/**
 * A row of the pressure suite: one kind of disturbance, its allowed effect on others, and how it is
 * produced.
 */
import type { Site, SiteOptions } from './site.ts';

export type Row = {
  /** The load. */
  readonly what: string;
  /** The requirement. */
  readonly bar: string;
  /** The result of 0.1.0, as measured at that time. */
  readonly before: string;
  readonly play: (play: Play) => Promise<Played>;
};

/** The parts that a row gets. */
type Play = {
  readonly quick: boolean;
  /** A separate database, simulator and gateways, which are removed when the row ends. */
  readonly openSite: (options?: SiteOptions) => Promise<Site>;
  /** Prints the present step. */
  readonly progress: (text: string) => void;
};

export type Played = {
  /** The figures, as text. */
  readonly measured: string;
  readonly passed: boolean;
};
