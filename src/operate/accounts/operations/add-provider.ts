/**
 * Adds an account at a provider, while gateways run. They use it once its credentials are stored,
 * and sell through it once a route names it. Adding a removed account again restores it.
 */
import { Type } from 'typebox';
import { accountOutput } from '../../../core/account-names.ts';
import { actorOf } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, text } from '../../../core/operation-fields.ts';
import type { BankDefinition } from '../../../funding/banks/bank-definition.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { markRemoved, nameAccount } from '../../../providers/provider-account-store.ts';
import type { ProviderAccounts } from '../../../providers/provider-accounts.ts';
import { lockAndReadAccounts, requireFreeName } from '../named-account.ts';

export type Needs = Acting & {
  readonly accounts: Pick<ProviderAccounts, 'connectors'>;
  readonly banks: readonly Pick<BankDefinition, 'name'>[];
};

export const addProviderOperation = defineOperation({
  name: 'provider.add',
  kind: 'act',
  summary: 'add an account at a provider; store its credentials and name it in a route to use it',
  roles: admins,
  route: 'POST /providers',
  document: 'operators/providers.md',
  input: inputOf({
    connector: text('the name of a connector, as in the list of providers'),
    name: text('a new name of lower-case letters, digits and hyphens', { maxLength: 40 }),
  }),
  output: Type.Object({
    provider: accountOutput,
    connector: Type.String(),
    /** It was a removed account and is restored. */
    restored: Type.Boolean(),
  }),
  run: async ({ tx, actor, accounts: given, banks }: Needs, { connector, name }) => {
    const accounts = await lockAndReadAccounts(tx, given);
    const { connectors, definitions, idOf } = accounts;
    if (!connectors.some((one) => one.name === connector)) {
      const known = connectors.map((one) => one.name).sort();
      throw new OperationError({ code: 'no_such_connector', connector, known });
    }
    const id = idOf(name);
    const restored = definitions.some(
      (one) => one.name === id && one.connector === connector && one.isRemoved === true,
    );
    const by = actorOf(actor).name;
    if (restored) await markRemoved(tx, { provider: id, connector, by }, false);
    else {
      requireFreeName(accounts, banks, name, undefined);
      await nameAccount(tx, { provider: name, connector, name, by });
    }
    await recordOperation(tx, {
      actor,
      action: 'provider.add',
      subject: `provider:${id}`,
      after: { connector, name, restored },
    });
    return { provider: id, connector, restored };
  },
});
