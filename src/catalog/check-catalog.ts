/**
 * Finds errors that prevent a gateway from loading a catalog, or make it sell one item as another.
 * Pure. An error names its items; `src/catalog/records/fault-messages.ts` has the messages.
 */
import { invariant } from '../core/errors.ts';
import { findBillCodeClashes } from './bill-plan-index.ts';
import { findNameClashes } from './biller-index.ts';
import { type CatalogItem, nameOf, pickKind, thingsOf } from './catalog-item.ts';
import { type Clash, claimCode } from './clash.ts';
import { findCodeClashes } from './data-plan-index.ts';

export type CatalogFault = {
  readonly about: readonly CatalogItem[];
} /** One code or name means two items. */ & (
  | { readonly code: 'clash'; readonly clash: Clash<CatalogItem> }
  /** Two plans have one id. */
  | { readonly code: 'same_id'; readonly clash: Clash<CatalogItem> }
  /** No biller has the network of a bill plan. */
  | { readonly code: 'no_biller'; readonly product: string; readonly network: string }
  /** A change has the same thing twice. */
  | { readonly code: 'repeated' }
);

/** Returns the errors of a whole catalog, whose items are all different. */
export function checkCatalog(items: readonly CatalogItem[]): CatalogFault[] {
  const billers = pickKind(items, 'biller');
  const bills = pickKind(items, 'bill');
  const data = pickKind(items, 'data');
  const networks = new Set(billers.map(({ key }) => key));
  return [
    ...clashFaults(findNameClashes(thingsOf(billers)), billers),
    ...clashFaults(findBillCodeClashes(thingsOf(bills)), bills),
    ...clashFaults(findCodeClashes(thingsOf(data)), data),
    ...findSameIds([...bills, ...data]),
    ...bills.flatMap((plan): CatalogFault[] => {
      const { product, network } = plan.item;
      const isKnown = networks.has(`${product} ${network}`);
      return isKnown ? [] : [{ code: 'no_biller', product, network, about: [plan] }];
    }),
  ];
}

/** Returns an error for each repeated item. */
export function findRepeatedItems(items: readonly CatalogItem[]): CatalogFault[] {
  const seen = new Set<string>();
  return items.flatMap((item): CatalogFault[] => {
    const name = nameOf(item);
    if (seen.has(name)) return [{ code: 'repeated', about: [item] }];
    seen.add(name);
    return [];
  });
}

/** Turns the clashes of things into errors of their items. */
function clashFaults<Thing>(
  clashes: readonly Clash<Thing>[],
  items: readonly (CatalogItem & { readonly item: Thing })[],
): CatalogFault[] {
  const itemOf = new Map<Thing, CatalogItem>(items.map((item) => [item.item, item]));
  return clashes.map(({ scope, code, things: [one, other] }) => {
    const things = [found(one), found(other)] as const;
    return { code: 'clash', clash: { scope, code, things }, about: things };
  });

  function found(thing: Thing): CatalogItem {
    const item = itemOf.get(thing);
    invariant(item !== undefined, 'a clash names things of the index');
    return item;
  }
}

/** Finds ids of two plans. Bill and data plans share a table, so their ids are unique over both. */
function findSameIds(plans: readonly CatalogItem<'bill' | 'data'>[]): CatalogFault[] {
  const holders = new Map<string, CatalogItem>();
  const clashes: Clash<CatalogItem>[] = [];
  for (const thing of plans) {
    claimCode(holders, { scope: 'id', code: String(thing.item.id), thing }, clashes);
  }
  return clashes.map((clash) => ({ code: 'same_id', clash, about: clash.things }));
}
