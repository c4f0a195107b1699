/**
 * Renames an account at a provider, while gateways run. Everything that is stored has the account's
 * id, so pending purchases, routes, plan codes, floats and history stay with it, and its former
 * names still lead to it.
 */
import { Type } from 'typebox';
import { actorOf } from '../../../core/actor.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, text } from '../../../core/operation-fields.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { nameAccount } from '../../../providers/provider-account-store.ts';
import { lockAndReadAccounts, requireAccount, requireFreeName } from '../named-account.ts';
import type { Needs } from './add-provider.ts';

export const renameProviderOperation = defineOperation({
  name: 'provider.rename',
  kind: 'act',
  summary: 'rename an account at a provider; its former names still lead to it',
  roles: admins,
  route: 'POST /providers/{provider}/rename',
  document: 'operators/providers.md',
  input: inputOf({
    provider: text('the name of a provider'),
    name: text('a new name of lower-case letters, digits and hyphens', { maxLength: 40 }),
  }),
  output: Type.Object({ provider: Type.String(), before: Type.String(), changed: Type.Boolean() }),
  run: async ({ tx, actor, accounts: given, banks }: Needs, { provider, name }) => {
    const accounts = await lockAndReadAccounts(tx, given);
    const { name: id, connector } = requireAccount(accounts, provider);
    requireFreeName(accounts, banks, name, id);
    const before = accounts.nameOf(id);
    if (before !== name) {
      await nameAccount(tx, { provider: id, connector, name, by: actorOf(actor).name });
      await recordOperation(tx, {
        actor,
        action: 'provider.rename',
        subject: `provider:${id}`,
        before: { name: before },
        after: { name },
      });
    }
    return { provider: name, before, changed: before !== name };
  },
});
