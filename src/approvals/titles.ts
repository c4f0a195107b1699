/** Names the acts that may wait for a second person, as people read them. */
const titles: Readonly<Record<string, string>> = {
  'catalog.import': 'Change the catalog',
  'deposit.assign': 'Assign a deposit',
  'fx.set': 'Set an exchange rate',
  'guard.set': 'Set a guard',
  'merchant.set_discount': 'Set a discount',
  'route.remove': 'Remove a route',
  'route.set': 'Change a route',
  'vend.provider_refund': "Book a provider's refund",
  'vend.refund': 'Refund a purchase',
  'vend.settle': 'Settle a purchase',
  'voucher.issue': 'Issue vouchers',
  'wallet.credit': 'Adjust a wallet balance',
  'wallet.set_floor': 'Set a credit limit',
};

export function titleOf(operation: string): string {
  return titles[operation] ?? operation;
}
