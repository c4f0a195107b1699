/** How far the reconciliation of a fence is: what must be done before it can be opened. */
import type { Sql } from '../db/database.ts';
import type { FenceRow } from './fence-store.ts';
import { countLeftOrders, listNeededProviders } from './found-order-store.ts';
import {
  listGaps,
  listReconciledProviders,
  type Period,
  type ProviderGap,
  type ReconciledProviderRow,
} from './reconciled-provider-store.ts';

/** Providers' clocks differ from ours, and an order is listed by when it was made. */
const OVERLAP_MS = 3_600_000;

export type FenceState = {
  readonly reconciled: readonly ReconciledProviderRow[];
  /** Whose lists of the whole lost time are missing. */
  readonly missing: readonly string[];
  /** The time that their lists do not have. */
  readonly gaps: readonly ProviderGap[];
  readonly left: number;
};

/** The time that lists must tell of. */
export function lostTime(fence: FenceRow): Period {
  return { from: listFrom(fence), until: fence.lost_until };
}

/** From when on lists must tell. */
export function listFrom({ lost_from: lostFrom }: Pick<FenceRow, 'lost_from'>): Date {
  return new Date(lostFrom.getTime() - OVERLAP_MS);
}

export async function readFenceState(sql: Sql, fence: FenceRow): Promise<FenceState> {
  const reconciled = await listReconciledProviders(sql, fence.id);
  const needed = await listNeededProviders(sql);
  const gaps = await listGaps(sql, { fenceId: fence.id, providers: needed, lost: lostTime(fence) });
  return {
    reconciled,
    missing: needed.filter((provider) => gaps.some((gap) => gap.provider === provider)),
    gaps,
    left: await countLeftOrders(sql),
  };
}
