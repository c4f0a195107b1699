/** Finds a purchase by its reference or by our id. */
import { Type } from 'typebox';
import { type Environment, environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { oneOf, text } from '../../core/operation-fields.ts';
import type { Sql } from '../../db/database.ts';
import { type FoundPurchase, findPurchasesAnywhere } from './timeline-store.ts';

/** The fields by which operations name a purchase. */
export const purchaseFields = {
  reference: text("the merchant's reference of a purchase, or our internal reference", { maxLength: 200 }),
  merchant: Type.Optional(text('the code of a merchant, where several used the reference')),
  environment: Type.Optional(
    oneOf(environments, { description: 'test or live, where the reference was used in both' }),
  ),
};

export type NamedPurchase = {
  readonly reference: string;
  readonly merchant?: string;
  readonly environment?: Environment;
};

/**
 * Merchants choose their references, so several merchants may have used the same one. Throws
 * OperationError: `no_purchase`, `purchase_ambiguous`.
 */
export async function requirePurchase(
  sql: Sql,
  { reference, merchant, environment }: NamedPurchase,
): Promise<FoundPurchase> {
  const [purchase, ...others] = await findPurchasesAnywhere(sql, {
    reference,
    id: isUuid(reference.toLowerCase()) ? reference : undefined,
    merchantCode: merchant,
    environment,
  });
  if (purchase === undefined) throw new OperationError({ code: 'no_purchase', purchase: reference });
  if (others.length > 0) {
    const places = [purchase, ...others].map((one) => ({
      merchant: one.merchant_code,
      environment: one.environment,
    }));
    throw new OperationError({ code: 'purchase_ambiguous', purchase: reference, places });
  }
  return purchase;
}
