/**
 * Reads our float at a provider with the current credentials. It buys nothing, and shows whether
 * the credentials are accepted.
 */

import { Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { formatAmount } from '../../../core/money.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { Provider, ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';

type Needs = Tasking & {
  /** Every provider, configured or not. */
  readonly providers: readonly ProviderFacts[];
  readonly openProviders: () => Promise<
    AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }
  >;
};

/** How long it waits for the provider, in milliseconds. */
const ASK_MS = 15_000;

export const testProviderOperation = defineOperation({
  name: 'provider.test',
  kind: 'task',
  summary: 'query the float at a provider to test its credentials; buys nothing',
  roles: supportersAndTreasurers,
  withoutStepUp: true,
  route: 'POST /providers/{provider}/test',
  document: 'operators/providers.md',
  input: inputOf({ provider: accountField() }),
  output: Type.Object({
    provider: accountOutput,
    /** False: it is not configured here. */
    in_use: Type.Boolean(),
    answered: Type.Boolean(),
    float: nullable(Type.Object({ amount: Type.String(), currency: Type.String() })),
  }),
  run: async ({ database, actor, providers, openProviders }: Needs, { provider: name }) => {
    requireProvider(providers, name);
    await using opened = await openProviders();
    const provider = opened.providers.get(name);
    const float = await provider?.balance({ signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined);
    await database.transaction((tx) =>
      recordOperation(tx, {
        actor,
        action: 'provider.test',
        subject: `provider:${name}`,
        after: { answered: float !== undefined },
      }),
    );
    return {
      provider: name,
      in_use: provider !== undefined,
      answered: float !== undefined,
      float: float === undefined ? null : { amount: formatAmount(float.amount), currency: float.currency },
    };
  },
});
