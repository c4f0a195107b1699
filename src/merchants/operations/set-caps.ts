/**
 * Sets the spend caps of a credential, per purchase and per day, and whether agents can buy with it
 * over MCP. The change applies to the next purchase on every gateway process.
 */
import { Type } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import { amountOrNoneField, inputOf, oneOf } from '../../core/operation-fields.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { credentialAnswer, credentialOutput } from '../credential-answer.ts';
import { credentialField } from '../credential-secret.ts';
import { lockCredential, updateSpending } from '../credential-store.ts';
import { ownerField, requireOwnCredential } from '../require-merchant.ts';
import { readSpending, spendingEntry, spendingOf } from '../spending.ts';

const capField = Type.Optional({
  ...amountOrNoneField,
  description:
    'an amount above zero such as 5000 or 5000.50, or none to remove the cap; absent, it is unchanged',
});

export const setCapsOperation = defineOperation({
  name: 'credential.set_caps',
  kind: 'act',
  summary: 'set what a credential may spend per purchase and per day, and whether agents may buy with it',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /credentials/{credential}/caps',
  document: 'operators/merchants.md',
  input: inputOf({
    credential: credentialField,
    merchant: ownerField,
    per_purchase: capField,
    per_day: capField,
    mcp_purchases: Type.Optional(
      oneOf(['allowed', 'none'], {
        description: 'allowed, with both caps, or none (default: unchanged)',
      }),
    ),
  }),
  output: Type.Object({ ...credentialOutput.properties, changed: Type.Boolean() }),
  run: async (
    { tx, actor, clock }: Acting & { readonly clock: Clock },
    { credential: keyId, merchant, ...input },
  ) => {
    await requireOwnCredential(tx, keyId, merchant);
    const row = await lockCredential(tx, keyId);
    if (row === undefined) throw new OperationError({ code: 'no_credential', keyId });
    const before = spendingOf(row);
    const after = readSpending(input, before);
    const changed =
      after.purchaseCap !== before.purchaseCap ||
      after.dailyCap !== before.dailyCap ||
      after.mcpPurchases !== before.mcpPurchases;
    if (changed) {
      await updateSpending(tx, keyId, after);
      await recordOperation(tx, {
        actor,
        action: 'credential.set_caps',
        subject: `credential:${keyId}`,
        before: spendingEntry(before),
        after: spendingEntry(after),
      });
      await announceChange(tx, `credential:${keyId}`);
    }
    const caps = {
      purchase_cap: after.purchaseCap ?? null,
      daily_cap: after.dailyCap ?? null,
      mcp_purchases: after.mcpPurchases,
    };
    return { ...credentialAnswer({ ...row, ...caps }, clock.now()), changed };
  },
});
