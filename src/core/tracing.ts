/** A step of a purchase, for tracing across processes. */
export type Step = {
  /** `request`, `accept`, `purchase`, `query`, `verify`, `resolve`, `callback`. */
  readonly name: string;
  readonly purchaseId: string;
  /** It ended now. */
  readonly tookMs: number;
  /** Values without personal data: a provider, a kind of answer, a status. */
  readonly facts?: Readonly<Record<string, string | number>>;
};

/** Records a step. Absent when tracing is off. */
export type TraceStep = (step: Step) => void;
