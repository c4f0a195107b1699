/** The restore fence of a database that was never restored. */
export const noFence = { isUp: () => false, isBefore: () => false, recall: () => undefined };
