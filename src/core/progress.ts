/** How far long work is, for whoever waits for it. */
type Progress = {
  /** The part of the work that is under way, such as a table. */
  readonly step: string;
  readonly done: number;
  /** What was done so many times, such as `values sealed again`. */
  readonly unit: string;
};

export type OnProgress = (progress: Progress) => void;

/** Where nobody waits. */
export const unwatched: OnProgress = () => undefined;
