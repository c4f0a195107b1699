/** What a step of a purchase tells to whoever follows purchases through processes. */
export type Step = {
  /** `request`, `accept`, `purchase`, `query`, `verify`, `resolve`, `callback`. */
  readonly name: string;
  readonly purchaseId: string;
  /** It ended now. */
  readonly tookMs: number;
  /** Words and numbers that are nobody's: a provider, a kind of answer, a status. */
  readonly facts?: Readonly<Record<string, string | number>>;
};

/** Absent where nobody follows: then nothing is done for it. */
export type TraceStep = (step: Step) => void;
