/** Lists floats, and shows one with its movements. */

import { Type } from 'typebox';
import { accountField } from '../../../core/account-names.ts';
import type { Clock } from '../../../core/clock.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { idPageFields, inputOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { floatAnswer, floatOutput, movementAnswer, movementOutput } from '../float-answer.ts';
import { readFloats } from '../float-status.ts';
import { listMovements } from '../movement-store.ts';

type Needs = Asking & { readonly providers: readonly ProviderFacts[]; readonly clock: Clock };

export const listFloatsOperation = defineOperation({
  name: 'float.list',
  kind: 'question',
  summary:
    'list our float at each provider: the expected and the reported balance, the difference, and for how many hours it lasts',
  roles,
  route: 'GET /floats',
  document: 'operators/floats.md',
  input: inputOf(pageFields),
  output: pageOf(floatOutput),
  run: async ({ sql, providers, clock }: Needs, { limit = 50, cursor = '' }) => {
    const statuses = await readFloats(sql, providers, clock.now());
    const after = statuses
      .filter(({ provider }) => provider > cursor)
      .sort((a, b) => (a.provider < b.provider ? -1 : 1));
    return pageOfRead(after, limit, ({ provider }) => provider, floatAnswer);
  },
});

export const showFloatOperation = defineOperation({
  name: 'float.show',
  kind: 'question',
  summary: 'show our float at a provider with its top-ups and charges, newest first',
  roles,
  route: 'GET /floats/{provider}',
  document: 'operators/floats.md',
  input: inputOf({ provider: accountField(), ...idPageFields }),
  output: Type.Object({
    float: nullable(floatOutput),
    movements: Type.Array(movementOutput),
    /** The cursor of the movements; null if there are no more. */
    cursor: nullableText,
  }),
  run: async ({ sql, providers, clock }: Needs, { provider, limit = 50, cursor }) => {
    const { environment } = requireProvider(providers, provider);
    const statuses = await readFloats(sql, providers, clock.now());
    const status = statuses.find((one) => one.provider === provider);
    const rows = await listMovements(sql, provider, environment, cursor, limit + 1);
    const { data: movements, cursor: next } = pageOfRead(rows, limit, ({ id }) => id, movementAnswer);
    return { float: status === undefined ? null : floatAnswer(status), movements, cursor: next };
  },
});
