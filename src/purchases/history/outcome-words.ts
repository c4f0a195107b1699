/** Why a purchase ended, for operators. */
import type { OutcomeReason } from '../state/outcome-reason.ts';

export const outcomeWords: Readonly<Record<OutcomeReason, string>> = {
  delivered: 'the provider delivered it',
  refused: 'the provider refused it',
  customer_rejected: 'the biller does not accept this customer',
  amount_out_of_range: 'the amount is outside the limits of this customer',
  not_verified: 'the customer could not be verified; nothing was sent',
  insufficient_funds: 'the wallet could not pay; nothing was sent',
  over_purchase_cap: "it exceeded its credential's cap per purchase; nothing was sent",
  over_daily_cap: "it exceeded what was left of its credential's daily cap; nothing was sent",
  not_found: 'its provider never heard of it',
  not_sent: 'it never left: no provider could be reached',
};
