/** The restore lock of a database that was never restored. */
export const noRestoreLock = { isUp: () => false, isBefore: () => false, recall: () => undefined };
