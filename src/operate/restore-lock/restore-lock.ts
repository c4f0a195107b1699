/**
 * The restore fence as a process sees it: whether it is up, and which purchases were entered behind
 * it that still wait for their merchant's reference. Both are in memory, so that a purchase pays
 * nothing for them; they are read together, so that the fence never opens here before what was
 * entered is known.
 */

import { singleFlight } from '../../core/single-flight.ts';
import type { Database, Sql } from '../../db/database.ts';
import { type EnteredKey, listNameless } from '../../finance/reconciliation/entered-store.ts';
import { markOf } from '../../providers/reference-mark.ts';
import { type FenceRow, findFence, readSendingState } from '../../purchases/engine/fence-store.ts';
import { sendingFence, type VendingFence } from '../../purchases/engine/sending-fence.ts';
import { nameEntered } from './name-entered.ts';

export type Fence = VendingFence & {
  /** The fence that is up, in words. */
  words(): string | undefined;
  /** Rejects, and leaves all as it was, when it cannot be read. */
  reload(): Promise<void>;
  /** Reloads where the fence was raised or opened since. */
  look(): Promise<void>;
  /** It counts as up, until what is suspected was looked into. */
  suspect(): void;
  /** Gives what is to be called once it was looked into: it is no longer suspected then. */
  lookInto(): () => void;
};

type Held = {
  readonly fence: FenceRow | undefined;
  readonly openedAt: Date | undefined;
  readonly nameless: Set<string>;
};

export async function loadFence(database: Database): Promise<Fence> {
  let held = await read(database);
  const recall = async (reference: string, key: EnteredKey): Promise<void> => {
    await nameEntered(database, key, reference);
    // Another process may have named it; here it is not looked for any more.
    held.nameless.delete(textOf(key));
  };
  let suspicions = 0;
  let settled = 0;
  const isSuspected = (): boolean => suspicions > settled;
  const reload = singleFlight(async () => {
    held = await read(database);
  });
  return {
    ...sendingFence(() => ({ isUp: held.fence !== undefined || isSuspected(), openedAt: held.openedAt })),
    words: () =>
      held.fence === undefined
        ? isSuspected()
          ? 'the database may be in an earlier state than it was'
          : undefined
        : `${held.fence.reason}, since ${held.fence.raised_at.toISOString()}`,
    recall: (purchase) => {
      if (held.nameless.size === 0) return undefined;
      const { merchantId, environment } = purchase;
      const key = { merchantId, environment, mark: markOf(purchase) };
      return held.nameless.has(textOf(key)) ? recall(purchase.reference, key) : undefined;
    },
    reload,
    look: async () => {
      const fence = await findFence(database);
      if (fence?.id !== held.fence?.id) await reload();
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

async function read(sql: Sql): Promise<Held> {
  // The fence first: should it be opened in between, it is read again.
  const fence = await findFence(sql);
  const { openedAt } = await readSendingState(sql);
  const nameless = await listNameless(sql);
  return { fence, openedAt, nameless: new Set(nameless.map(textOf)) };
}

function textOf({ merchantId, environment, mark }: EnteredKey): string {
  return `${merchantId}/${environment}/${mark}`;
}
