/** Queries the provider of a pending purchase now (query-purchase.ts in the parent folder). */
import { Type } from 'typebox';
import { accountOutput } from '../../../core/account-names.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import {
  environmentField,
  inputOf,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { type Asker, queryPurchase } from '../query-purchase.ts';

/** Most providers answer within a second. Their limiter may be full. */
const WAIT_MS = 20_000;

export const queryPurchaseOperation = defineOperation({
  name: 'purchase.query',
  kind: 'task',
  summary: 'query the provider of a pending purchase now; its answer takes effect immediately',
  roles: supportersAndTreasurers,
  withoutStepUp: true,
  route: 'POST /purchases/{reference}/query',
  document: 'operators/unresolved.md',
  input: inputOf(purchaseFields),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    provider: accountOutput,
    /** Null if no answer came within 20 s. */
    said: nullable(
      Type.Object({
        kind: Type.String(),
        code: Type.String(),
        message: Type.String(),
        at: timeOutput,
      }),
    ),
    status: oneOf(['pending', 'success', 'failed']),
    /** When it is queried next. Null once it is final, or while a query runs. */
    next_at: nullableTime,
  }),
  run: async (asker: Asker & Tasking, named) => {
    const purchase = await requirePurchase(asker.database, named);
    const { id, merchant_id: merchantId, environment } = purchase;
    const asked = await queryPurchase(asker, { merchantId, environment, purchaseId: id }, WAIT_MS);
    const { provider, said, status, dueAt } = asked;
    return {
      id,
      reference: purchase.reference,
      merchant: purchase.merchant_code,
      environment,
      provider,
      said:
        said === undefined
          ? null
          : { kind: said.kind, code: said.code, message: said.message, at: formatRfc3339(said.at) },
      status,
      next_at: dueAt === null ? null : formatRfc3339(dueAt),
    };
  },
});
