/**
 * Removes an account at a provider, while gateways run. Refused while a route names it, while
 * purchases wait for it, and, unless the codes are to be kept, while plans have codes of it. Its
 * history keeps its name, and adding it again restores it.
 */
import { Type } from 'typebox';
import { listRoutes } from '../../../catalog/routes/route-store.ts';
import { actorOf } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, text } from '../../../core/operation-fields.ts';
import type { Tx } from '../../../db/database.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { hasPendingPurchases, markRemoved } from '../../../providers/provider-account-store.ts';
import { countPlansOf } from '../account-use-store.ts';
import { lockAndReadAccounts, requireAccount } from '../named-account.ts';
import type { Needs } from './add-provider.ts';

export const removeProviderOperation = defineOperation({
  name: 'provider.remove',
  kind: 'act',
  summary: 'remove an account at a provider that is in no route and has no pending purchase',
  roles: admins,
  route: 'DELETE /providers/{provider}',
  document: 'operators/providers.md',
  confirm: ({ provider }) => `Remove ${provider}? Its history is kept.`,
  input: inputOf({
    provider: text('the name of a provider'),
    keep_codes: Type.Optional(
      Type.Boolean({ description: 'true to leave the codes of its plans in the catalog', default: false }),
    ),
  }),
  output: Type.Object({
    provider: Type.String(),
    /** Plans that still have codes of it. */
    plans: Type.Integer(),
  }),
  run: async ({ tx, actor, accounts: given }: Needs, { provider, keep_codes: keepsCodes = false }) => {
    const accounts = await lockAndReadAccounts(tx, given);
    const { name: id, connector } = requireAccount(accounts, provider);
    const name = accounts.nameOf(id);
    const plans = await requireUnused(tx, { id, name, keepsCodes });
    await markRemoved(tx, { provider: id, connector, by: actorOf(actor).name }, true);
    await recordOperation(tx, {
      actor,
      action: 'provider.remove',
      subject: `provider:${id}`,
      before: { connector, name },
      after: { plans },
    });
    return { provider: name, plans };
  },
});

/**
 * Returns the number of plans with codes of the account. Throws OperationError: `provider_routed`,
 * `provider_has_pending`, `provider_has_plans`.
 */
async function requireUnused(
  tx: Tx,
  { id, name, keepsCodes }: { readonly id: string; readonly name: string; readonly keepsCodes: boolean },
): Promise<number> {
  const routes = (await listRoutes(tx)).filter(({ provider }) => provider === id);
  if (routes.length > 0) {
    const named = routes.map(({ environment, product, network }) => `${environment} ${product} ${network}`);
    throw new OperationError({ code: 'provider_routed', provider: name, routes: named });
  }
  if (await hasPendingPurchases(tx, id)) {
    throw new OperationError({ code: 'provider_has_pending', provider: name });
  }
  const plans = await countPlansOf(tx, id);
  if (plans > 0 && !keepsCodes)
    throw new OperationError({ code: 'provider_has_plans', provider: name, plans });
  return plans;
}
