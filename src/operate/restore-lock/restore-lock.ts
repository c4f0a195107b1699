/**
 * The restore lock as a process sees it: whether it is set, and which purchases were entered while
 * it was set and still need their merchant's reference. Both are kept in memory, so that a purchase
 * needs no query. They are read together, so that the lock is never removed here before entered
 * purchases are known.
 */

import { singleFlight } from '../../core/single-flight.ts';
import type { Database } from '../../db/database.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import {
  type EnteredKey,
  listNameless,
  lockNameless,
  renamePurchase,
} from '../../finance/reconciliation/entered-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { markOf } from '../../providers/reference-mark.ts';
import {
  findRestoreLock,
  type RestoreLockRow,
  readSendingState,
} from '../../purchases/engine/restore-lock-store.ts';
import { type PurchaseLock, sendingLock } from '../../purchases/engine/sending-lock.ts';
import { lockWalletOfPurchase } from '../../wallet/wallet-store.ts';

export type RestoreLock = PurchaseLock & {
  /** Describes the lock, if it is set. */
  words(): string | undefined;
  /** Reads the lock again. Rejects without a change if it cannot be read. */
  reload(): Promise<void>;
  /** Reloads if the lock was set or removed since. */
  look(): Promise<void>;
  /** Treats the lock as set until a suspected rewind has been checked. */
  suspect(): void;
  /** Starts a check. Returns the function that ends the suspicion. */
  lookInto(): () => void;
};

type Held = {
  readonly lock: RestoreLockRow | undefined;
  readonly openedAt: Date | undefined;
  /** Undefined if a server with a part of them does not answer: each purchase is looked up. */
  readonly nameless: Set<string> | undefined;
};

export async function loadRestoreLock(database: Database): Promise<RestoreLock> {
  let held = await read(database);
  const recall = async (reference: string, key: EnteredKey): Promise<void> => {
    await nameEntered(database, key, reference);
    // Another process may have named it already.
    held.nameless?.delete(textOf(key));
  };
  let suspicions = 0;
  let settled = 0;
  const isSuspected = (): boolean => suspicions > settled;
  const reload = singleFlight(async () => {
    held = await read(database);
  });
  return {
    ...sendingLock(() => ({ isUp: held.lock !== undefined || isSuspected(), openedAt: held.openedAt })),
    words: () =>
      held.lock === undefined
        ? isSuspected()
          ? 'the database may have been rewound'
          : undefined
        : `${held.lock.reason}, since ${held.lock.raised_at.toISOString()}`,
    recall: (purchase) => {
      if (held.nameless?.size === 0) return undefined;
      const { merchantId, environment } = purchase;
      const key = { merchantId, environment, mark: markOf(purchase) };
      return held.nameless === undefined || held.nameless.has(textOf(key))
        ? recall(purchase.reference, key)
        : undefined;
    },
    reload,
    look: async () => {
      const restoreLock = await findRestoreLock(database);
      if (restoreLock?.id !== held.lock?.id || held.nameless === undefined) await reload();
    },
    suspect: () => {
      suspicions += 1;
    },
    lookInto: () => {
      const known = suspicions;
      return () => {
        settled = known;
      };
    },
  };
}

/**
 * Gives an entered purchase its merchant's reference, once the merchant has sent it. From then on
 * it is found by the reference, and the reference is not sold again. Any number of processes may
 * run this at once.
 */
async function nameEntered(database: Database, key: EnteredKey, reference: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { merchantId, environment } = key;
    const purchaseId = await lockNameless(tx, key);
    if (purchaseId === undefined) return;
    const purchase = { merchantId, environment, purchaseId, reference };
    // Purchases of the merchant need this lock, so none is stored under the reference meanwhile.
    await lockWalletOfPurchase(tx, purchase);
    const before = await renamePurchase(tx, purchase);
    if (before === undefined) return;
    await recordOperation(tx, {
      actor: 'oja',
      action: 'finding.name',
      subject: `purchase:${purchaseId}`,
      before: { reference: before },
      after: { reference },
    });
  });
}

/** A server of a cell may be away: the lock counts at once, also then. */
async function read(database: Database): Promise<Held> {
  // The lock is read first: if it is removed in between, everything is read again.
  const lock = await findRestoreLock(database);
  const { openedAt } = await readSendingState(database);
  const nameless = await listNameless(database).catch((error: unknown) => {
    const isAway = isConnectionLost(error) || isUnavailable(error);
    if (database.cells !== undefined && isAway) return undefined;
    throw error;
  });
  return { lock, openedAt, nameless: nameless && new Set(nameless.map(textOf)) };
}

function textOf({ merchantId, environment, mark }: EnteredKey): string {
  return `${merchantId}/${environment}/${mark}`;
}
