/** What was given back for a purchase, where a merchant looks it up. Pure. */
import { type Static, type TObject, Type } from 'typebox';
import { formatAmount } from '../../kernel/money.ts';
import type { Vend } from '../../vending/vend/vend.ts';

/** Only of a success for which something was. Its outcome stays what it is. */
export const refundFields = {
  refunded_amount: Type.Optional(
    Type.String({ description: 'naira with two decimals: what the wallet got back for it since' }),
  ),
};

export function refundOf({ refunded }: Vend): Static<TObject<typeof refundFields>> {
  return refunded === undefined ? {} : { refunded_amount: formatAmount(refunded) };
}
