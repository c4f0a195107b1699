/** What a merchant reads about an outcome. */
export const outcomeMessages = {
  delivered: 'Transaction successful',
  refused: 'Transaction failed',
  insufficient_funds: 'Insufficient wallet balance',
  not_found: 'Transaction failed: the provider did not receive it',
  not_sent: 'Transaction failed: no provider could be reached',
  pending: 'Transaction pending',
} as const;
