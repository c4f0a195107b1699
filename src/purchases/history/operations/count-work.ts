/** Counts pending purchases and items that need a person. Its cost does not grow with history. */
import { Type } from 'typebox';
import type { Clock } from '../../../core/clock.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { environmentField, inputOf } from '../../../core/operation-fields.ts';
import { countOpenDeliveries } from '../../../notifications/messages/delivery-store.ts';
import { countEndpointsByState } from '../../../notifications/webhooks/endpoint-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { countOpenAlarms, countPendingByAge } from '../watch-store.ts';

const troubled: ReadonlySet<string> = new Set(['unknown', 'given_up', 'refused']);

export const countWorkOperation = defineOperation({
  name: 'work.count',
  kind: 'question',
  summary: 'count pending purchases by age, and items that need attention: alarms, deliveries, endpoints',
  roles,
  route: 'GET /work/count',
  document: 'operators/console.md',
  input: inputOf({}),
  output: Type.Object({
    /** 10,000 purchases of an age, or 10,000 alarms, mean that many or more. */
    pending: Type.Array(
      Type.Object({ environment: environmentField, age: Type.String(), count: Type.Integer() }),
    ),
    alarms: Type.Integer(),
    /** Deliveries that did not arrive, or may not have. */
    deliveries: Type.Integer(),
    endpoints: Type.Object({ failing: Type.Integer(), disabled: Type.Integer() }),
  }),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }) => {
    const pending = await countPendingByAge(sql, clock.now());
    const deliveries = await countOpenDeliveries(sql);
    const endpoints = await countEndpointsByState(sql);
    const endpointsIn = (state: string): number =>
      endpoints.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0);
    return {
      pending,
      alarms: await countOpenAlarms(sql),
      deliveries: deliveries
        .filter(({ state }) => troubled.has(state))
        .reduce((sum, { count }) => sum + count, 0),
      endpoints: { failing: endpointsIn('failing'), disabled: endpointsIn('disabled') },
    };
  },
});
