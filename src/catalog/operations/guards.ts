/** Lists and sets the guards: the rule for a product that sells at a loss. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { answerOf } from '../../core/answer.ts';
import { environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { defineOperation, roles, treasurers } from '../../core/operation.ts';
import {
  environmentField,
  inputOf,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { productNames } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { findNetwork } from '../find-network.ts';
import {
  everyNetwork,
  type GuardMode,
  type GuardPlace,
  type GuardRow,
  guardModes,
  listGuards,
  lockGuard,
  upsertGuard,
} from '../margins/guard-store.ts';
import { deleteKnownCosts } from '../margins/live-prices-store.ts';

type GuardChange = GuardPlace & {
  readonly mode: GuardMode;
  /** Deletes the known costs. The next sale shows the current ones. */
  readonly forgetsCosts: boolean;
};

export async function setGuard(
  tx: Tx,
  change: GuardChange,
  actor: ActorOrName,
): Promise<{ readonly before: GuardMode; readonly changed: boolean; readonly forgotten: number }> {
  const { environment, product, network, mode, forgetsCosts } = change;
  const row = await lockGuard(tx, change);
  const before = row?.mode ?? 'alarm';
  const place = { environment, product, network: network === everyNetwork ? undefined : network };
  const forgotten = forgetsCosts ? await deleteKnownCosts(tx, { ...place, planCodes: undefined }) : 0;
  const changed = row?.mode !== mode;
  if (!changed && forgotten === 0) return { before, changed, forgotten };
  await upsertGuard(tx, change);
  await recordOperation(tx, {
    actor,
    action: 'guard.set',
    subject: `guard:${environment}:${product}:${network}`,
    before: { mode: before },
    after: { mode, ...(forgetsCosts && { forget_costs: true }) },
  });
  await announceChange(tx, 'guards');
  return { before, changed, forgotten };
}

export const setGuardOperation = defineOperation({
  name: 'guard.set',
  kind: 'act',
  summary:
    'set what happens to a product that would sell at a loss: sell, sell with an alarm, or do not sell',
  roles: treasurers,
  route: 'PUT /guards/{environment}/{product}',
  document: 'operators/guards.md',
  input: inputOf({
    environment: environmentField,
    product: oneOf(productNames),
    network: Type.Optional(
      text("a network of the product, a biller, or '*' for every network without a guard of its own"),
    ),
    mode: oneOf(guardModes),
    forget_costs: Type.Optional(
      Type.Boolean({
        description: 'true if providers charge less now: the next sale shows their cost',
        default: false,
      }),
    ),
  }),
  output: Type.Object({
    environment: environmentField,
    product: oneOf(productNames),
    network: Type.String(),
    mode: oneOf(guardModes),
    mode_before: oneOf(guardModes),
    changed: Type.Boolean(),
    costs_forgotten: Type.Integer(),
  }),
  // Without known costs, no sale would be refused as below cost.
  gives: (_, { environment, costs_forgotten: forgotten }) => ({
    environment,
    currency: 'NGN',
    amount: forgotten > 0 ? 'any' : 0n,
  }),
  run: async ({ tx, actor }: Acting, input) => {
    const { environment, product, mode, forget_costs: forgetsCosts = false } = input;
    const { network: named = everyNetwork } = input;
    const network = named === everyNetwork ? named : await findNetwork(tx, product, named);
    const change = { environment, product, network, mode, forgetsCosts };
    const { before, changed, forgotten } = await setGuard(tx, change, actor);
    return {
      environment,
      product,
      network,
      mode,
      mode_before: before,
      changed,
      costs_forgotten: forgotten,
    };
  },
});

const guardOutput = Type.Object({
  environment: Type.String(),
  product: Type.String(),
  network: Type.String(),
  mode: oneOf(guardModes),
  set_at: timeOutput,
});

export const listGuardsOperation = defineOperation({
  name: 'guard.list',
  kind: 'question',
  summary: 'list the guards; a product without a guard is sold, and a sale at a loss raises an alarm',
  roles,
  route: 'GET /guards',
  document: 'operators/guards.md',
  input: inputOf(pageFields),
  output: pageOf(guardOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const found = await listGuards(sql, { after: placeOf(cursor), limit: limit + 1 });
    return pageOfRead(found, limit, cursorOf, (guard) => answerOf(guardOutput, guard));
  },
});

/** Builds a cursor. Names of products and networks have no slash. */
function cursorOf({ environment, product, network }: GuardRow): string {
  return `${environment}/${product}/${network}`;
}

function placeOf(cursor: string | undefined): GuardPlace | undefined {
  const [name = '', product = '', network = ''] = cursor?.split('/') ?? [];
  if (cursor === undefined) return undefined;
  const environment = environments.find((one) => one === name);
  if (environment === undefined) throw new OperationError({ code: 'no_such_cursor', cursor });
  return { environment, product, network };
}
