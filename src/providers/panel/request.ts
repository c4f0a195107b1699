/** Builds the requests to a panel from its mapping. Pure. */
import { formatAmount } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import type { UpstreamRequest } from '../http/call.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';
import type { PanelMapping, PanelOrder, PanelProduct, PanelRequest } from './mapping-schema.ts';

/** The values that a template can have, by name. */
type Values = Readonly<Record<string, string | undefined>>;

/** A request, or the name of the value that the order or the mapping lacks. */
export type Filled = { readonly request: UpstreamRequest } | { readonly lacks: string };

/** Returns how the mapping orders a product. Undefined when the panel does not sell it. */
export function orderOf({ orders }: PanelMapping, product: string): PanelOrder | undefined {
  return Object.hasOwn(orders, product) ? orders[product as PanelProduct] : undefined;
}

export function valuesOf(mapping: PanelMapping, query: CustomerQuery): Values {
  const { network, planCodes, recipient } = query;
  const kind = planCodes?.variation_code;
  const isMeter = kind === 'prepaid' || kind === 'postpaid';
  return {
    network: Object.hasOwn(mapping.networks, network) ? mapping.networks[network] : undefined,
    plan: kind,
    recipient,
    phone: /^234\d{10}$/.test(recipient) ? localForm(recipient) : undefined,
    meter_type: isMeter ? mapping.meter_types?.[kind] : undefined,
  };
}

export function orderValues(mapping: PanelMapping, order: ProviderOrder): Values {
  return {
    ...valuesOf(mapping, order),
    amount: formatAmount(order.amount).replace(/\.00$/, ''),
    airtime_kind: mapping.airtime_kinds?.[order.planKind === 'share_and_sell' ? 'share_and_sell' : 'vtu'],
    reference: order.reference,
    order_id: order.providerId,
  };
}

const PLACEHOLDER = /\{([a-z_]+)(#?)\}/g;

/** Fills a request and adds the key, or the login in base64. */
export function fillRequest(
  { auth }: Pick<PanelMapping, 'auth'>,
  key: string,
  operation: string,
  { method, path, query, body }: PanelRequest,
  values: Values,
): Filled {
  let lacks: string | undefined;
  const fill = (text: string, encode: (value: string) => string = String): string =>
    text.replaceAll(PLACEHOLDER, (_whole, name: string) => {
      const value = values[name];
      lacks ??= value === undefined ? name : undefined;
      return encode(value ?? '');
    });
  const secret = auth.value.replaceAll(/\{(?:key|login)\}/g, () => key);
  const filledPath = fill(path, encodeURIComponent);
  const search = new URLSearchParams();
  if (auth.in === 'query') search.set(auth.name, secret);
  for (const [name, text] of Object.entries(query ?? {})) search.set(name, fill(text));
  const sent =
    body && Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typed(value, fill)]));
  if (lacks !== undefined) return { lacks };
  return {
    request: {
      operation,
      method,
      path: search.size === 0 ? filledPath : `${filledPath}?${search.toString()}`,
      headers: {
        accept: 'application/json',
        ...(auth.in === 'header' && { [auth.name.toLowerCase()]: secret }),
      },
      ...(method === 'POST' && { body: sent ?? {} }),
    },
  };
}

/** Sends `{amount#}` as a number where it is one. An id may be text at some panel. */
function typed(value: string | number | boolean, fill: (text: string) => string): string | number | boolean {
  if (typeof value !== 'string') return value;
  const filled = fill(value);
  const isNumber = /^\{[a-z_]+#\}$/.test(value) && /^(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/.test(filled);
  return isNumber ? Number(filled) : filled;
}
