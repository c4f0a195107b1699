/** Who waits for a piece of work: work that only its caller needs ends when the caller has gone. */
export type Caller = {
  /**
   * Calls back once when the caller has gone, at once where it has. Returns what ends the watch.
   */
  onGone(callback: () => void): () => void;
};

/** A caller that stays: another part of this process. */
export const stayingCaller: Caller = { onGone: () => () => undefined };
