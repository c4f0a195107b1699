/**
 * Pauses a provider for all new purchases, or for those of one product or network, and resumes it.
 * Every process follows within a second.
 *
 * Sent orders are still queried. Waiting purchases go to the next provider of their route.
 */

import { Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { type ActorOrName, actorOf } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { inputOf, oneOf, reasonField, text } from '../../../core/operation-fields.ts';
import { type ProductName, productNames } from '../../../core/products/product.ts';
import type { Sql, Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { findNetwork } from '../../find-network.ts';
import { deletePause, insertPause, type PausePlace } from '../pause-store.ts';
import { everyPlace } from '../routes.ts';

/** Pauses a provider. `changed` is false if it was paused there already. */
async function pauseProvider(
  tx: Tx,
  { reason, ...place }: PausePlace & { readonly reason: string },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const changed = await insertPause(tx, { ...place, reason, pausedBy: actorOf(actor).name });
  if (changed) {
    const { provider, product, network } = place;
    await recordOperation(tx, {
      actor,
      action: 'provider.pause',
      subject: `provider:${provider}`,
      after: { product, network, reason },
    });
  }
  return { changed };
}

/** Resumes a provider. Throws OperationError `not_paused`. */
async function resumeProvider(tx: Tx, place: PausePlace, actor: ActorOrName): Promise<void> {
  const { provider, product, network } = place;
  const before = await deletePause(tx, place);
  if (before === undefined) {
    throw new OperationError({ code: 'not_paused', provider, place: placeText(place) });
  }
  await recordOperation(tx, {
    actor,
    action: 'provider.resume',
    subject: `provider:${provider}`,
    before: { product, network, reason: before.reason },
  });
}

/** Describes the place of a pause for people. */
function placeText({ product, network }: Omit<PausePlace, 'provider'>): string {
  if (product === everyPlace) return 'every product';
  return network === everyPlace || network === product ? product : `${product} ${network}`;
}

type Needs = Acting & {
  /** All providers, configured or not. */
  readonly providers: readonly ProviderFacts[];
};

type Named = {
  readonly provider: string;
  readonly product?: ProductName | undefined;
  readonly network?: string | undefined;
};

/**
 * Reads the place of a pause. Throws OperationError: `no_such_provider`, `input_malformed`,
 * `no_such_network`.
 */
async function readPlace(
  sql: Sql,
  providers: readonly ProviderFacts[],
  { provider, product, network }: Named,
): Promise<PausePlace> {
  requireProvider(providers, provider);
  if (product === undefined) {
    if (network === undefined) return { provider, product: everyPlace, network: everyPlace };
    const wanted = 'named together with its network';
    throw new OperationError({
      code: 'input_malformed',
      errors: [{ field: 'product', kind: 'missing', wanted }],
    });
  }
  const named = network === undefined ? everyPlace : await findNetwork(sql, product, network);
  return { provider, product, network: named };
}

const place = {
  provider: accountField(),
  product: Type.Optional(oneOf(productNames)),
  network: Type.Optional(text('a network of the product, or a biller')),
};

const output = Type.Object({
  provider: accountOutput,
  /** `*`: every product, or every network. */
  product: Type.String(),
  network: Type.String(),
  paused: Type.Boolean(),
  changed: Type.Boolean(),
});

export const pauseProviderOperation = defineOperation({
  name: 'provider.pause',
  kind: 'act',
  summary: 'pause a provider immediately: it gets no new purchases; pending purchases are still queried',
  roles: supportersAndTreasurers,
  withoutStepUp: true,
  route: 'POST /providers/{provider}/pause',
  document: 'operators/providers.md',
  input: inputOf({ ...place, reason: reasonField }),
  output,
  run: async ({ tx, actor, providers }: Needs, { reason, ...named }) => {
    const found = await readPlace(tx, providers, named);
    const { changed } = await pauseProvider(tx, { ...found, reason }, actor);
    return { ...found, paused: true, changed };
  },
});

export const resumeProviderOperation = defineOperation({
  name: 'provider.resume',
  kind: 'act',
  summary: 'resume a paused provider, or the product and network that were paused',
  roles: admins,
  route: 'POST /providers/{provider}/resume',
  document: 'operators/providers.md',
  input: inputOf(place),
  output,
  run: async ({ tx, actor, providers }: Needs, named) => {
    const found = await readPlace(tx, providers, named);
    await resumeProvider(tx, found, actor);
    return { ...found, paused: false, changed: true };
  },
});
