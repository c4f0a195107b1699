/** The requests of each console screen when it is opened. */

export type Reading = {
  readonly screen: string;
  readonly operation: string;
  /** The variant, as people read it. */
  readonly what?: string;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Values of the filled database to request. */
export type Known = {
  readonly merchant: string;
  readonly provider: string;
  /** The reference of a purchase in the middle of the history. */
  readonly purchase: string;
  readonly merchantReference: string;
  readonly phone: string;
  /** Its day, such as 2026-11-15, and the first and last day of the history. */
  readonly day: string;
  readonly from: string;
  readonly to: string;
};

/** A number without purchases: the search reads the whole history. */
const NOBODY = '08039999999';

export function readingsOf(known: Known): readonly Reading[] {
  return [...ofEverything(known), ...ofPurchases(known), ...ofOneMerchant(known), ...ofMoney(known)];
}

function ofEverything({ from, to, provider }: Known): Reading[] {
  const period = { environment: 'live', from, to };
  return [
    { screen: 'overview', operation: 'report.show', input: period },
    { screen: 'overview', operation: 'day.sales', input: period },
    ...['product', 'network', 'provider', 'merchant'].map((by) => ({
      screen: 'overview',
      operation: 'report.show',
      what: `by ${by}`,
      input: { ...period, by },
    })),
    { screen: 'overview', operation: 'purchase.pending', input: {} },
    { screen: 'work', operation: 'work.count', input: {} },
    { screen: 'work', operation: 'approval.list', input: { state: 'waiting' } },
    { screen: 'work', operation: 'alarm.list', input: {} },
    { screen: 'work', operation: 'deposit.list', what: 'in suspense', input: { suspense: true } },
    { screen: 'work', operation: 'delivery.list', input: {} },
    { screen: 'work', operation: 'webhook.list', what: 'troubled', input: { troubled: true } },
    { screen: 'providers', operation: 'provider.list', input: { limit: 200 } },
    { screen: 'providers', operation: 'provider.success', input: { by: 'route' } },
    { screen: 'providers', operation: 'float.list', input: { limit: 200 } },
    { screen: 'providers', operation: 'route.list', input: { limit: 200 } },
    { screen: 'provider', operation: 'provider.show', input: { provider } },
    { screen: 'provider', operation: 'float.show', input: { provider } },
    { screen: 'catalog', operation: 'catalog.history', input: {} },
    { screen: 'catalog', operation: 'fx.list', input: {} },
    { screen: 'catalog', operation: 'guard.list', input: {} },
    { screen: 'webhooks', operation: 'webhook.list', input: {} },
    { screen: 'audit log', operation: 'audit_log.list', input: {} },
    { screen: 'people', operation: 'user.list', input: {} },
    { screen: 'people', operation: 'session.list', input: {} },
    { screen: 'people', operation: 'token.list', input: {} },
    { screen: 'merchants', operation: 'merchant.list', input: {} },
  ];
}

function ofPurchases({ merchant, provider, purchase, merchantReference, phone, day }: Known): Reading[] {
  const list = (what: string, input: Reading['input'], screen = 'purchases'): Reading => ({
    screen,
    operation: 'purchase.list',
    what,
    input,
  });
  return [
    list('newest', {}),
    list('pending', { status: 'pending' }),
    list('failed', { status: 'failed' }),
    list('of a merchant', { merchant }),
    list('of a provider', { provider }),
    list('of a day', { from: day, to: day }),
    list('failed of a day', { from: day, to: day, status: 'failed' }),
    list('by reason', { reason: 'refused' }),
    list('by a reason that none has', { reason: 'amount_out_of_range' }),
    list('by amount', { amount_min: '1999.99' }),
    list('by an amount that none has', { amount_min: '5000000' }),
    list('of a network that none has', { network: 'EKEDC' }),
    list('by number', { phone }),
    list('by number and day', { phone, from: day, to: day }),
    list('by a number that none has', { phone: NOBODY }),
    list('by the merchant’s reference', { reference: merchantReference }),
    list('by a reference that none has', { reference: 'no-such-reference' }),
    list('by a meter that none has', { meter: NOBODY }),
    list('by a customer that none has', { card: NOBODY }),
    list('by a token that none has', { token: '12345678901234567890' }),
    list('gift cards', { product: 'GIFTCARD' }, 'orders'),
    list('eSIMs', { product: 'ESIM' }, 'orders'),
    { screen: 'purchase', operation: 'purchase.show', input: { reference: purchase } },
  ];
}

function ofOneMerchant({ merchant, from }: Known): Reading[] {
  const of = (operation: string, more: Reading['input'] = {}, what?: string): Reading => ({
    screen: 'merchant',
    operation,
    input: { merchant, ...more },
    ...(what !== undefined && { what }),
  });
  const wallet = { environment: 'live', currency: 'NGN', from };
  return [
    of('merchant.show'),
    of('wallet.show'),
    of('wallet.statement', wallet),
    of('credential.list'),
    of('funding.show'),
    of('deposit.list', {}, 'of a merchant'),
    of('webhook.list'),
    of('team.list'),
    of('team.list_sessions'),
    of('voucher.list'),
    of('merchant.list_mtn_lines', { environment: 'live' }),
    {
      screen: 'merchant',
      operation: 'audit_log.list',
      what: 'of a merchant',
      input: { subject: `merchant:${merchant}` },
    },
  ];
}

function ofMoney({ day, merchant, provider }: Known): Reading[] {
  return [
    { screen: 'money', operation: 'deposit.list', input: {} },
    { screen: 'money', operation: 'deposit.total', input: {} },
    { screen: 'money', operation: 'deposit.list', what: 'of a day', input: { day } },
    { screen: 'money', operation: 'deposit.total', what: 'of a merchant', input: { merchant } },
    { screen: 'money', operation: 'reconciliation.list', input: {} },
    { screen: 'money', operation: 'float.show', input: { provider } },
    { screen: 'books', operation: 'restore.status', input: {} },
    { screen: 'books', operation: 'day.list', input: { environment: 'live' } },
    { screen: 'books', operation: 'books.balance', input: { environment: 'live', limit: 200 } },
    {
      screen: 'books',
      operation: 'books.balance',
      what: 'at a day',
      input: { environment: 'live', limit: 200, at: day },
    },
  ];
}
