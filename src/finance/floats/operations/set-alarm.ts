/**
 * Sets when the float at a provider raises an alarm, and when the provider is paused automatically.
 * Absent limits return to their defaults.
 */

import { Type } from 'typebox';
import { accountField } from '../../../core/account-names.ts';
import { parseAmount } from '../../../core/money.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { amountField, inputOf } from '../../../core/operation-fields.ts';
import type { TypedKind } from '../../../core/typed-number.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { limitsAnswer, limitsOutput } from '../float-answer.ts';
import { replaceLimits } from '../float-store.ts';

type Needs = Acting & { readonly providers: readonly ProviderFacts[] };

const amountOf = (kind: TypedKind, description: string) =>
  Type.Optional(Type.String({ ...amountField, 'x-typed': kind, description }));

export const setFloatAlarmOperation = defineOperation({
  name: 'float.set_alarm',
  kind: 'act',
  summary:
    'set the hours or the amount at which the float at a provider raises an alarm, and the amount below which the provider is paused',
  roles: treasurers,
  route: 'PUT /floats/{provider}/alarm',
  document: 'operators/floats.md',
  input: inputOf({
    provider: accountField(),
    hours: Type.Optional(
      Type.Integer({ description: 'a whole number of hours from 1 to 720', minimum: 1, maximum: 720 }),
    ),
    amount: amountOf('account_amount', 'an amount in the currency of our account there'),
    drift: amountOf('naira', 'the allowed difference between the books and the provider, in naira'),
    pause_below: amountOf(
      'account_amount',
      'the amount, in the currency of our account there, below which no purchases are sent to the provider',
    ),
  }),
  output: limitsOutput,
  run: async ({ tx, actor, providers }: Needs, { provider, hours, amount, drift, pause_below: below }) => {
    requireProvider(providers, provider);
    const read = (value: string | undefined): bigint | null =>
      value === undefined ? null : (parseAmount(value) ?? null);
    const limits = {
      provider,
      hours: hours ?? null,
      amount: read(amount),
      drift: read(drift),
      pause_below: read(below),
    };
    const before = await replaceLimits(tx, limits);
    await recordOperation(tx, {
      actor,
      action: 'float.set_alarm',
      subject: `float:${provider}`,
      ...(before && { before: limitsAnswer(before) }),
      after: limitsAnswer(limits),
    });
    return limitsAnswer(limits);
  },
});
