/** Lists the guards that are set. A product without one has the guard `alarm`. */

import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, oneOf, pageFields, pageOf, timeOutput } from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { type GuardPlace, type GuardRow, guardModes, listGuards } from '../guard-store.ts';

const guardOutput = Type.Object({
  environment: Type.String(),
  product: Type.String(),
  network: Type.String(),
  mode: oneOf(guardModes),
  set_at: timeOutput,
});

/** A guard as operations answer it. */
function guardAnswer({ set_at: setAt, ...guard }: GuardRow): Static<typeof guardOutput> {
  return { ...guard, set_at: formatRfc3339(setAt) };
}

export const listGuardsOperation = defineOperation({
  name: 'guard.list',
  kind: 'question',
  summary: 'list the guards that are set; a product without one is sold, with an alarm where it loses',
  roles,
  route: 'GET /guards',
  document: 'operators/guards.md',
  input: inputOf(pageFields),
  output: pageOf(guardOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const found = await listGuards(sql, { after: placeOf(cursor), limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      data: page.map(guardAnswer),
      cursor: found.length > limit ? cursorOf(page.at(-1)) : null,
    };
  },
});

/** No network has a slash in its name, and no product either. */
function cursorOf(guard: GuardRow | undefined): string | null {
  return guard === undefined ? null : `${guard.environment}/${guard.product}/${guard.network}`;
}

function placeOf(cursor: string | undefined): GuardPlace | undefined {
  const [name = '', product = '', network = ''] = cursor?.split('/') ?? [];
  const environment = environments.find((one) => one === name);
  return environment === undefined ? undefined : { environment, product, network };
}
