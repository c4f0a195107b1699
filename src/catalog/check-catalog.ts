/**
 * Finds faults for which a gateway could not load a catalog, or would sell one thing as another.
 * Pure. A fault names the items that it is about; `src/catalog/records/fault-messages.ts` words it.
 */
import { invariant } from '../core/errors.ts';
import { findBillCodeClashes } from './bill-plan-index.ts';
import { findNameClashes } from './biller-index.ts';
import { type CatalogItem, nameOf, pickKind, thingsOf } from './catalog-item.ts';
import { type Clash, claimCode } from './clash.ts';
import { findCodeClashes } from './data-plan-index.ts';

export type CatalogFault = {
  readonly about: readonly CatalogItem[];
} /** One code or name stands for two things. */ & (
  | { readonly code: 'clash'; readonly clash: Clash<CatalogItem> }
  /** Two plans of one id. */
  | { readonly code: 'same_id'; readonly clash: Clash<CatalogItem> }
  /** A bill plan whose network no biller has. */
  | { readonly code: 'no_biller'; readonly product: string; readonly network: string }
  /** The same thing twice in one change. */
  | { readonly code: 'repeated' }
);

/** Faults of a whole catalog; no two of `items` are the same thing. */
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

/** One fault for each repetition of an item among `items`. */
export function findRepeatedItems(items: readonly CatalogItem[]): CatalogFault[] {
  const seen = new Set<string>();
  return items.flatMap((item): CatalogFault[] => {
    const name = nameOf(item);
    if (seen.has(name)) return [{ code: 'repeated', about: [item] }];
    seen.add(name);
    return [];
  });
}

/** The clashes of an index of `items`, which knows them without their records. */
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
    invariant(item !== undefined, 'an index names what it was made of');
    return item;
  }
}

/** Bill and data plans are of one table, and their ids unique over both, on sale or not. */
function findSameIds(plans: readonly CatalogItem<'bill' | 'data'>[]): CatalogFault[] {
  const holders = new Map<string, CatalogItem>();
  const clashes: Clash<CatalogItem>[] = [];
  for (const thing of plans) {
    claimCode(holders, { scope: 'id', code: String(thing.item.id), thing }, clashes);
  }
  return clashes.map((clash) => ({ code: 'same_id', clash, about: clash.things }));
}
