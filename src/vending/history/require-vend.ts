/** The one purchase that an operation is about: by its reference, or by our id of it. */
import { Type } from 'typebox';
import type { Sql } from '../../db/database.ts';
import { type Environment, environments } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { merchantField, oneOf, text } from '../../kernel/operation-fields.ts';
import { type FoundVend, findVendsAnywhere } from './timeline-store.ts';

/** In the input of every operation that is about one purchase. */
export const vendFields = {
  reference: text("the merchant's reference of a purchase, or our id of it"),
  merchant: Type.Optional({ ...merchantField, description: 'the code of a merchant, where several used it' }),
  environment: Type.Optional(oneOf(environments, { description: 'test or live, where it was used in both' })),
};

/**
 * Throws OperationError: `no_purchase`, or `purchase_ambiguous` where several used the reference.
 */
export async function requireVend(
  sql: Sql,
  {
    reference,
    merchant,
    environment,
  }: {
    readonly reference: string;
    readonly merchant?: string | undefined;
    readonly environment?: Environment | undefined;
  },
): Promise<FoundVend> {
  const id = isUuid(reference.toLowerCase()) ? reference : undefined;
  const vends = await findVendsAnywhere(sql, { reference, id, merchantCode: merchant, environment });
  const [vend] = vends;
  if (vend === undefined) throw new OperationError({ code: 'no_purchase', purchase: reference });
  if (vends.length > 1) {
    const places = vends.map((one) => ({ merchant: one.merchant_code, environment: one.environment }));
    throw new OperationError({ code: 'purchase_ambiguous', purchase: reference, places });
  }
  return vend;
}
