/**
 * Compares a provider's list with the catalog and, with `apply`, updates the catalog. The list is
 * read before the transaction, because that may take long, and the catalog is read again inside it.
 * Running it again is safe.
 */

import { Type } from 'typebox';
import { accountField } from '../../core/account-names.ts';
import { OperationError } from '../../core/errors.ts';
import { type ApprovalLimits, defineOperation, treasurers } from '../../core/operation.ts';
import { inputOf } from '../../core/operation-fields.ts';
import { type OnProgress, unwatched } from '../../core/progress.ts';
import type { Tasking } from '../../oversight/log/acting.ts';
import type { Provider, ProviderFacts } from '../../providers/provider.ts';
import { catalogChangeAnswer, catalogChangeOutput } from '../catalog-change-answer.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { compareWithProvider, type ListedCost } from '../compare-provider.ts';
import { readWholeCatalog } from '../list-catalog-items.ts';
import { listKnownCosts } from '../margins/live-prices-store.ts';
import { listPriceRules } from '../margins/price-rule-store.ts';
import { readOffer } from '../read-offer.ts';
import { describeCatalogFault } from '../records/fault-messages.ts';
import type { NamingAccounts } from '../shown-codes.ts';
import { changeCatalog } from './change-catalog.ts';
import { changeFields, refuseFaults } from './import-catalog.ts';

type OpenProviders = AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> };

type Needs = Pick<Tasking, 'database' | 'sql' | 'actor'> & {
  /** All providers, configured or not. */
  readonly providers: readonly ProviderFacts[];
  readonly openProviders: () => Promise<OpenProviders>;
  readonly onProgress?: OnProgress;
  readonly approvalLimits: ApprovalLimits;
} & NamingAccounts;

export const syncCatalogOperation = defineOperation({
  name: 'catalog.sync',
  kind: 'task',
  summary: "compare a provider's own list with the catalog and, with apply, update the catalog from it",
  roles: treasurers,
  route: 'POST /catalog/sync',
  isLong: true,
  document: 'operators/catalog.md',
  input: inputOf({
    provider: accountField('the name of a provider with a list, as in routes'),
    ...changeFields,
    add: Type.Optional(
      Type.Boolean({
        description: 'true to add the data plans, gift cards and eSIMs that the catalog lacks',
      }),
    ),
  }),
  output: catalogChangeOutput,
  run: async (needs: Needs, { provider: name, apply = false, force = false, add = false }) => {
    const nameOf = needs.accounts?.nameOf;
    const offer = await queryProvider(needs, name, add);
    const testing = needs.providers.filter(({ environment }) => environment === 'test');
    const testProviders = new Set(testing.map((one) => one.name));
    let notes: readonly string[] = [];
    let costs: readonly ListedCost[] = [];
    const rules = await listPriceRules(needs.sql);
    const knownCosts = await listKnownCosts(needs.sql, 'live');
    const incoming = (present: readonly CatalogItem[]): readonly CatalogItem[] => {
      const comparison = compareWithProvider(present, offer, {
        add,
        testProviders,
        rules,
        knownCosts,
        nameOf,
      });
      ({ notes, costs } = comparison);
      return comparison.incoming;
    };
    const proposal = {
      incoming,
      source: nameOf?.(name) ?? name,
      follows: name,
      costs: () => costs,
      apply,
      force,
      withdrawMissing: false,
    };
    const { diff, ...done } = await needs.database.transaction(async (tx) => {
      const stored = await changeCatalog(tx, proposal, needs.actor);
      // A task cannot wait for a second person. A file of the same prices can.
      if (stored.forced && needs.approvalLimits.correction !== undefined) {
        throw new OperationError({ code: 'second_person_needed', instead: 'import' });
      }
      return stored;
    });
    refuseFaults(
      name,
      diff.faults.map((fault) => ({ lines: [], fault: describeCatalogFault(fault) })),
    );
    // A provider's list is not expected to have every plan of the catalog.
    const changed = { diff: { ...diff, missing: [] }, ...done };
    const listed = new Map(costs.map(({ planCode, cost }) => [planCode, cost]));
    return catalogChangeAnswer(changed, { apply, force, notes, nameOf, costs: listed });
  },
});

async function queryProvider(
  { sql, openProviders, onProgress = unwatched }: Needs,
  name: string,
  add: boolean,
): ReturnType<typeof readOffer> {
  await using opened = await openProviders();
  const provider = opened.providers.get(name);
  if (provider?.listPlans === undefined && provider?.listCatalog === undefined) {
    throw new OperationError({ code: 'provider_has_no_list', provider: name });
  }
  return await readOffer(provider, await readWholeCatalog(sql), onProgress, { add });
}
