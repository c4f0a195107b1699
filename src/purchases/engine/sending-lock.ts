/**
 * The restore lock (src/operate/restore-lock) for sending. While it is active nothing is sent. A
 * purchase from before its removal never gets another attempt: a purchase that was waiting at the
 * time of the backup may have been sent and refused in the lost time, and providers need not list
 * refusals. Its merchant may have been notified, and may have bought again.
 */
import type { Environment } from '../../core/environment.ts';
import { madeAtMs } from '../../core/ids.ts';

export type SendingLock = {
  /** Whether purchases of an environment may not be sent. */
  isUp(environment: Environment): boolean;
  /** Whether the purchase was made before a lock was removed. */
  isBefore(purchase: { readonly environment: Environment; readonly purchaseId: string }): boolean;
};

/** The restore lock for sales and look-ups. */
export type PurchaseLock = SendingLock & {
  /**
   * Adds the merchant's reference to a purchase that was entered without it. Await the result, if
   * there is one, before a reference is answered.
   */
  recall(purchase: {
    readonly merchantId: number;
    readonly environment: Environment;
    readonly reference: string;
  }): Promise<void> | undefined;
};

export type RestoreLockState = {
  readonly isUp: boolean;
  /** When a lock was last removed. Undefined: never. */
  readonly openedAt: Date | undefined;
};

/** Only live purchases are locked. */
export function sendingLock(state: () => RestoreLockState): SendingLock {
  return {
    isUp: (environment) => environment === 'live' && state().isUp,
    isBefore: ({ environment, purchaseId }) => {
      const { openedAt } = state();
      return environment === 'live' && openedAt !== undefined && madeAtMs(purchaseId) < openedAt.getTime();
    },
  };
}
