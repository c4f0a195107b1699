/** The progress of a long operation. */
type Progress = {
  /** The current part of the work, such as a table. */
  readonly step: string;
  readonly done: number;
  /** The unit of `done`, such as `values sealed again`. */
  readonly unit: string;
};

export type OnProgress = (progress: Progress) => void;

/** Reports no progress. */
export const unwatched: OnProgress = () => undefined;
