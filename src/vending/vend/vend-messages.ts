/** What a merchant reads about an outcome. */
export const outcomeMessages = {
  delivered: 'Transaction successful',
  refused: 'Transaction failed',
  customer_rejected: 'Transaction failed: the biller does not accept this customer',
  amount_out_of_range: 'Transaction failed: the amount is outside the limits of this customer',
  not_verified: 'Transaction failed: the customer could not be verified, nothing was sent',
  insufficient_funds: 'Insufficient wallet balance',
  not_found: 'Transaction failed: the provider did not receive it',
  not_sent: 'Transaction failed: no provider could be reached',
  pending: 'Transaction pending',
} as const;
