/** The labels of the fields of an API key, at the console and in the portal. */
export const keyLabels = {
  label: 'Label',
  ip: 'Allowed addresses',
  expires_in: 'Expires after',
  per_purchase: 'Cap per purchase',
  per_day: 'Cap per day',
  mcp_purchases: 'Purchases by an agent',
} as const;
