/**
 * The restore fence (src/operate/restore-lock) as it concerns what is sent. While it is up nothing
 * is. What is of before its opening is not sent for another attempt ever: a purchase that waited at
 * the backup may have been sent and refused in the lost time, and no provider need list that. Its
 * merchant may have heard so, and bought again.
 */
import type { Environment } from '../../core/environment.ts';
import { madeAtMs } from '../../core/ids.ts';

export type SendingFence = {
  /** Whether purchases of an environment may not be sent to anybody. */
  isUp(environment: Environment): boolean;
  /** Whether the purchase was made before a fence was opened. */
  isBefore(purchase: { readonly environment: Environment; readonly purchaseId: string }): boolean;
};

/** The restore fence as it concerns what is sold and looked up. */
export type PurchaseFence = SendingFence & {
  /**
   * Gives a purchase its merchant's reference where it was entered without. To be waited for before
   * anything is said of a reference, where it gives anything at all.
   */
  recall(purchase: {
    readonly merchantId: number;
    readonly environment: Environment;
    readonly reference: string;
  }): Promise<void> | undefined;
};

export type FenceState = {
  readonly isUp: boolean;
  /** When one was opened last; undefined: none ever was. */
  readonly openedAt: Date | undefined;
};

/** Only what is sold for money is fenced. */
export function sendingFence(state: () => FenceState): SendingFence {
  return {
    isUp: (environment) => environment === 'live' && state().isUp,
    isBefore: ({ environment, purchaseId }) => {
      const { openedAt } = state();
      return environment === 'live' && openedAt !== undefined && madeAtMs(purchaseId) < openedAt.getTime();
    },
  };
}
