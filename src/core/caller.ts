/**
 * The caller that waits for a piece of work. Work that only the caller needs ends when the caller
 * disconnects.
 */
export type Caller = {
  /**
   * Calls back once when the caller disconnects, or at once if it already has. Returns a function
   * that ends the watch.
   */
  onGone(callback: () => void): () => void;
};

/** A caller that never disconnects: another part of this process. */
export const stayingCaller: Caller = { onGone: () => () => undefined };
