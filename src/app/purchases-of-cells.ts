/**
 * Purchases of an installation with several cells: each merchant's requests go to its cell, and
 * each background job runs for every cell. A cell that fails stops no other.
 */
import { invariant } from '../core/errors.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { PurchaseGauges, Purchases } from '../purchases/purchases.ts';
import type { CellContact } from './cell-contact.ts';

/** The cell of a merchant, as an index into the cells. */
export type CellOf = (merchantId: number) => Promise<number>;

/**
 * `whole` works on the tables of all cells: it does what keeps one record for all merchants, and
 * serves what reads no purchases.
 */
export function purchasesOfCells(
  whole: Purchases,
  cells: readonly Purchases[],
  cellOf: CellOf,
  /** Of cells on other servers, where each keeps records of its own. */
  contact?: CellContact,
): Purchases {
  const arePlaced = contact !== undefined;
  const of = async ({ merchant }: Principal): Promise<Purchases> => {
    const number = await cellOf(merchant.id);
    const cell = cells[number];
    invariant(cell !== undefined, 'a merchant is in one of the cells');
    contact?.require(number);
    return cell;
  };
  const each = (work: (background: Purchases['background']) => Promise<unknown>) => async (): Promise<void> =>
    void (await inEach(cells, ({ background }) => work(background)));
  return {
    purchase: async (request, mode, caller) => (await of(request.principal)).purchase(request, mode, caller),
    priceOf: (request) => whole.priceOf(request),
    requireOrders: (principal, product) => whole.requireOrders(principal, product),
    checkAvailability: (request) => whole.checkAvailability(request),
    verifyBillCustomer: async (request, caller) =>
      (await of(request.principal)).verifyBillCustomer(request, caller),
    order: async (request, caller) => (await of(request.principal)).order(request, caller),
    queryOrder: async (principal, product, reference) =>
      (await of(principal)).queryOrder(principal, product, reference),
    findPurchase: async (principal, reference) => (await of(principal)).findPurchase(principal, reference),
    findFirstUse: async (principal, reference) => (await of(principal)).findFirstUse(principal, reference),
    compareWithFirst: async (principal, purchaseId, sent) =>
      (await of(principal)).compareWithFirst(principal, purchaseId, sent),
    listPurchases: async (principal, request) => (await of(principal)).listPurchases(principal, request),
    advanceTestClock: async (principal, advanceS) =>
      (await of(principal)).advanceTestClock(principal, advanceS),
    queryNow: async (provider, reference) =>
      void (await inEach(cells, (cell) => cell.queryNow(provider, reference))),
    gauges: () => sumGauges([whole, ...cells].map((cell) => cell.gauges())),
    adopt: async (provider) => void (await inEach([whole, ...cells], (cell) => cell.adopt(provider))),
    gatewayId: whole.gatewayId,
    background: {
      work: (round) => {
        const stack = new AsyncDisposableStack();
        for (const { background } of cells) stack.use(background.work(round));
        return stack;
      },
      beat: async () => {
        contact?.start();
        await inEach(arePlaced ? [whole] : cells, ({ background }) => background.beat());
      },
      takeOver: each((cell) => cell.takeOver()),
      lookForForgotten: each((cell) => cell.lookForForgotten()),
      sweep: each((cell) => cell.sweep()),
      reroute: each((cell) => cell.reroute()),
      moveQueueWatermarks: each((cell) => cell.moveQueueWatermarks()),
      askPendingFulfilment: async () => {
        const counts = await inEach(cells, ({ background }) => background.askPendingFulfilment());
        return counts.reduce((sum, count) => sum + count, 0);
      },
      indexSearch: arePlaced ? each((cell) => cell.indexSearch()) : () => whole.background.indexSearch(),
      recheckSuccesses: async () => {
        const counts = await inEach(arePlaced ? cells : [whole], ({ background }) =>
          background.recheckSuccesses(),
        );
        return counts.reduce((sum, count) => sum + count, 0);
      },
    },
    drain: async (drainMs) => void (await inEach([whole, ...cells], (cell) => cell.drain(drainMs))),
    signOff: async () => void (await inEach(cells, (cell) => cell.signOff())),
  };
}

/** Does the work in all cells at the same time, and rejects with the first failure at the end. */
async function inEach<T>(
  cells: readonly Purchases[],
  work: (cell: Purchases) => Promise<T>,
): Promise<readonly T[]> {
  const results = await Promise.allSettled(cells.map(async (cell) => await work(cell)));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** The places of requests are shared by all cells, so each cell states them all. */
function sumGauges(gauges: readonly PurchaseGauges[]): PurchaseGauges {
  const sum = (of: (gauge: PurchaseGauges) => number): number =>
    gauges.reduce((all, gauge) => all + of(gauge), 0);
  return {
    acceptQueue: sum(({ acceptQueue }) => acceptQueue),
    resolveQueue: sum(({ resolveQueue }) => resolveQueue),
    purchases: gauges[0]?.purchases ?? { live: 0, test: 0 },
    awaited: sum(({ awaited }) => awaited),
    inHand: sum(({ inHand }) => inHand),
  };
}
