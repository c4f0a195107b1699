/**
 * Finds what providers delivered in the lost time: reads the list of each, by asking it or from its
 * statement file, and enters what is not known here. Without `apply` it tells what it would do, and
 * leaves nothing.
 *
 * It can be interrupted anywhere and run again: what is entered stays entered, and is known then.
 */
import type { Catalog } from '../catalog/catalog.ts';
import type { Database } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { discountKey } from '../merchants/merchant.ts';
import { listDiscounts } from '../merchants/merchant-store.ts';
import type { StatementLine } from '../statements/statement-line.ts';
import { lostTime } from './fence-state.ts';
import type { FenceRow } from './fence-store.ts';
import { countLeftOrders, deleteLeft, findEnteringMerchant, findLastNetwork } from './found-order-store.ts';
import { type FoundOrder, type Gathered, gatherFound } from './gather-found.ts';
import { type KnownPurchases, readKnownPurchases } from './known-purchases.ts';
import { type FilesHold, isWholeOf, listedTime } from './listed-time.ts';
import { type Given, readTerms, type TermsReader } from './order-terms.ts';
import {
  listGaps,
  type Period,
  type ProviderGap,
  upsertReconciledProvider,
} from './reconciled-provider-store.ts';
import {
  enterFound,
  leaveFound,
  recordFoundAttempts,
  type Settled,
  type SettleOptions,
} from './settle-found.ts';

/** What a provider tells; undefined where it was neither asked nor a file of it was given. */
export type Listing = {
  readonly source: 'asked' | 'file';
  readonly lines: AsyncIterable<StatementLine>;
};

export type Reconciling = {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly fence: FenceRow;
  readonly from: Date;
  readonly until: Date;
  readonly filesHold: FilesHold;
  /** By provider. A list that cannot be read gives why. */
  readonly listings: ReadonlyMap<string, Listing>;
  /** Those without whose lists it is not complete. */
  readonly needed: readonly string[];
  readonly apply: boolean;
  readonly actor: ActorOrName;
  readonly onProgress: OnProgress;
};

export type ReconciledProvider = {
  readonly provider: string;
  /** Undefined: its list is missing. */
  readonly source: 'asked' | 'file' | undefined;
  /** Of a list that could not be read. */
  readonly trouble: string | undefined;
  readonly orders: number;
  readonly unknown: number;
  /** When the first and the last of its orders were made. */
  readonly first: Date | undefined;
  readonly last: Date | undefined;
  /** The time of which the list has every order; undefined where it proves nothing. */
  readonly listed: Period | undefined;
};

/** The orders of one purchase, and what became of them. */
export type FoundPurchase = { readonly orders: readonly FoundOrder[]; readonly settled: Settled };

export type Reconciled = {
  readonly providers: readonly ReconciledProvider[];
  readonly purchases: readonly FoundPurchase[];
  /** What neither these lists nor those of earlier runs have of the lost time. */
  readonly gaps: readonly ProviderGap[];
  /** Orders that earlier runs left and of which these lists do not speak. */
  readonly leftBefore: number;
};

export async function reconcileRestore(reconciling: Reconciling): Promise<Reconciled> {
  const { database, needed, listings, fence, apply, actor } = reconciling;
  const names = [...new Set([...needed, ...listings.keys()])].toSorted();
  const providers: ReconciledProvider[] = [];
  const found: FoundOrder[] = [];
  const read = new Map<string, Gathered>();
  for (const provider of names) {
    const { told, gathered } = await gather(reconciling, provider);
    providers.push(told);
    if (gathered === undefined) continue;
    read.set(provider, gathered);
    found.push(...gathered.unknown);
  }
  const listed = new Map(providers.flatMap(({ provider, listed }) => (listed ? [[provider, listed]] : [])));
  // By the lists of this run alone: what earlier ones had may be left, and is not looked at here.
  const isWhole = names.every((provider) => isWholeOf(listed.get(provider), lostTime(fence)));
  const options = { database, fenceId: fence.id, apply, actor };
  const leftBefore = (await countLeftOrders(database)) - spokenOfAgain(read);
  const purchases = await settleAll(reconciling, options, found, isWhole);
  if (apply) {
    await takeAwayResolved(database, read, purchases);
    await noteProviders(reconciling, providers);
  }
  const gaps = await listGaps(database, {
    fenceId: fence.id,
    providers: names,
    lost: lostTime(fence),
    listed,
  });
  return { providers, purchases, gaps, leftBefore };
}

function spokenOfAgain(read: ReadonlyMap<string, Gathered>): number {
  return [...read.values()].reduce((sum, { leftBefore }) => sum + leftBefore.size, 0);
}

async function gather(
  { database, listings, from, until, filesHold, onProgress }: Reconciling,
  provider: string,
): Promise<{ readonly told: ReconciledProvider; readonly gathered: Gathered | undefined }> {
  const listing = listings.get(provider);
  const none = { orders: 0, unknown: 0, first: undefined, last: undefined, listed: undefined };
  const untold = { provider, source: undefined, trouble: undefined, ...none };
  if (listing === undefined) return { told: untold, gathered: undefined };
  try {
    const gathered = await gatherFound(database, provider, listing.lines, (done) =>
      onProgress({ step: provider, done, unit: 'orders read' }),
    );
    const { orders, unknown, first, last } = gathered;
    const { source } = listing;
    const listed = listedTime(source, gathered, { from, until }, filesHold);
    return {
      told: { ...untold, source, orders, unknown: unknown.length, first, last, listed },
      gathered,
    };
  } catch (error) {
    // A file that is wrong is the operator's to mend; a provider may be asked again.
    if (listing.source === 'file') throw error;
    const trouble = error instanceof Error ? error.message : String(error);
    return { told: { ...untold, trouble }, gathered: undefined };
  }
}

async function settleAll(
  reconciling: Reconciling,
  options: SettleOptions,
  found: readonly FoundOrder[],
  isWhole: boolean,
): Promise<readonly FoundPurchase[]> {
  const { database, fence, onProgress } = reconciling;
  const merchantIds = new Set(found.flatMap(({ read }) => read?.merchantId ?? []));
  const known = await readKnownPurchases(database, merchantIds, fence.lost_from);
  const groups = groupByPurchase(found);
  const purchases: FoundPurchase[] = [];
  for (const orders of groups) {
    const settled = await settlePurchase(reconciling, options, known, orders, isWhole);
    if (settled !== undefined) purchases.push({ orders, settled });
    onProgress({ step: 'purchases', done: purchases.length, unit: `of ${groups.length} looked at` });
  }
  return purchases;
}

/** Those that were given up come first: the last one is the one that counts. */
function groupByPurchase(found: readonly FoundOrder[]): readonly (readonly FoundOrder[])[] {
  const groups = new Map<string, FoundOrder[]>();
  for (const order of found) {
    const { read, provider, reference } = order;
    const key = read === undefined ? `${provider}/${reference}` : `${read.merchantId} ${read.mark}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [order]);
    else group.push(order);
  }
  return [...groups.values()].map((orders) =>
    orders.toSorted(
      (one, other) => rank(one) - rank(other) || one.line.at.getTime() - other.line.at.getTime(),
    ),
  );
}

function rank({ line }: FoundOrder): number {
  return line.state === 'delivered' ? 2 : line.state === 'pending' ? 1 : 0;
}

/** Undefined where nothing is to be done. */
async function settlePurchase(
  reconciling: Reconciling,
  options: SettleOptions,
  known: KnownPurchases,
  orders: readonly FoundOrder[],
  isWhole: boolean,
): Promise<Settled | undefined> {
  const read = orders[0]?.read;
  const isOver = orders.every((order) => order.isOver);
  // Nobody's, and nothing came of it.
  if (read === undefined) return isOver ? undefined : await leaveFound(options, orders, 'no_mark');
  // Another provider may have taken the purchase.
  if (isOver && !isWhole) return await leaveFound(options, orders, 'other_lists_missing', read.merchantId);
  const { merchantId, mark } = read;
  const vendId = await known.find(merchantId, mark);
  if (vendId !== undefined) return await recordFoundAttempts(options, orders, { merchantId, vendId });
  return await enterOrders(reconciling, options, orders, { id: merchantId }, { mark, given: {} });
}

/** Enters orders of which it is known, or was said, whose they are. */
export async function enterOrders(
  { database, catalog }: Pick<Reconciling, 'database' | 'catalog'>,
  options: SettleOptions,
  orders: readonly FoundOrder[],
  whose: { readonly id: number } | { readonly code: string },
  said: {
    readonly mark?: string | undefined;
    readonly reference?: string | undefined;
    readonly given: Given;
  },
): Promise<Settled> {
  const last = orders.at(-1);
  const merchant = await findEnteringMerchant(database, whose);
  if (last === undefined || merchant === undefined) return await leaveFound(options, orders, 'no_merchant');
  const { wallet_id: walletId } = merchant;
  if (walletId === null) return await leaveFound(options, orders, 'no_wallet', merchant.id);
  const discounts = new Map(
    (await listDiscounts(database, merchant.id)).map((discount) => [
      discountKey(discount.product, discount.network),
      discount.basis_points,
    ]),
  );
  const reader: TermsReader = {
    catalog,
    discountOf: (product, network) => discounts.get(discountKey(product, network)) ?? 0,
    lastNetworkOf: (product, recipient) =>
      findLastNetwork(database, { merchantId: merchant.id, product, recipient }),
  };
  const terms = await readTerms(reader, last.provider, last.line, said.given, last.read?.trace);
  if (terms.kind === 'missing') return await leaveFound(options, orders, `no_${terms.what}`, merchant.id);
  return await enterFound(options, orders, {
    merchant: { ...merchant, wallet_id: walletId },
    mark: said.mark,
    reference: said.reference,
    terms: terms.terms,
  });
}

/**
 * What earlier runs left stays, unless the lists of this run speak of it and leave it no more: that
 * a list does not have an order proves nothing of it.
 */
async function takeAwayResolved(
  database: Database,
  read: ReadonlyMap<string, Gathered>,
  purchases: readonly FoundPurchase[],
): Promise<void> {
  const left = new Set(
    purchases
      .filter(({ settled }) => settled.verdict === 'left')
      .flatMap(({ orders }) => orders.map(({ provider, reference }) => `${provider}/${reference}`)),
  );
  for (const [provider, { leftBefore }] of read) {
    const resolved = [...leftBefore].filter((reference) => !left.has(`${provider}/${reference}`));
    await database.transaction((tx) => deleteLeft(tx, provider, resolved));
  }
}

/** A list that proves nothing is not noted: it is missing still. */
async function noteProviders(
  { database, fence }: Reconciling,
  providers: readonly ReconciledProvider[],
): Promise<void> {
  for (const { provider, source, orders, listed } of providers) {
    if (source === undefined || listed === undefined) continue;
    const row = { provider, source, orders, listed_from: listed.from, listed_until: listed.until };
    await database.transaction((tx) => upsertReconciledProvider(tx, fence.id, row));
  }
}
