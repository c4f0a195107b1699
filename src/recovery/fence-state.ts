/** How far the reconciliation of a fence is: what must be done before it can be opened. */
import type { Sql } from '../db/database.ts';
import type { FenceRow } from './fence-store.ts';
import {
  countLeftOrders,
  listNeededProviders,
  listReconciledProviders,
  type ReconciledProviderRow,
} from './found-order-store.ts';

/** Providers' clocks differ from ours, and an order is listed by when it was made. */
const OVERLAP_MS = 3_600_000;

export type FenceState = {
  readonly reconciled: readonly ReconciledProviderRow[];
  /** Whose lists of the whole lost time are missing. */
  readonly missing: readonly string[];
  readonly left: number;
};

/** From when on lists must tell. */
export function listFrom({ lost_from: lostFrom }: Pick<FenceRow, 'lost_from'>): Date {
  return new Date(lostFrom.getTime() - OVERLAP_MS);
}

export async function readFenceState(sql: Sql, fence: FenceRow): Promise<FenceState> {
  const reconciled = await listReconciledProviders(sql, fence.id);
  const needed = await listNeededProviders(sql);
  const isRead = (provider: string): boolean =>
    reconciled.some((row) => row.provider === provider && row.listed_from <= listFrom(fence));
  return {
    reconciled,
    missing: needed.filter((provider) => !isRead(provider)),
    left: await countLeftOrders(sql),
  };
}
