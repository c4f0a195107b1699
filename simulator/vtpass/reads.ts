/**
 * The read-only calls: services, variations, balance. Their result code is in
 * `response_description`.
 */
import { json, type Reply } from '../http.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import type { Vtpass } from './vtpass.ts';

export function categories({ catalog }: Vtpass): Reply {
  const content = [...new Set([...catalog.values()].map(({ category }) => category))].map((identifier) => ({
    identifier,
    name: identifier.replaceAll('-', ' '),
  }));
  return json({ response_description: '000', content });
}

export function services(vtpass: Vtpass, identifier: string | null): Reply {
  const content = [...vtpass.catalog.values()]
    .filter((service) => service.category === identifier)
    .map((service) => ({
      serviceID: service.serviceId,
      name: service.name,
      minimium_amount: nairaText(service.bounds.min),
      maximum_amount: nairaNumber(service.bounds.max),
      convinience_fee: '0 %',
      product_type: service.product === 'data' || service.bill?.isByAmount === false ? 'fix' : 'flexible',
      image: '',
    }));
  return json({ response_description: '000', content });
}

export function variations(vtpass: Vtpass, serviceId: string | null): Reply {
  const service = vtpass.catalog.get(serviceId ?? '');
  if (service === undefined)
    return json({ response_description: '012', content: { errors: 'INVALID SERVICE' } });
  // The misspelt key is VTpass's own, and the only key for some services.
  const varations = [...service.variations.values()].map((variation) => ({
    variation_code: variation.code,
    name: variation.name,
    variation_amount: nairaText(variation.price),
    fixedPrice: variation.price > 0n ? 'Yes' : 'No',
  }));
  const content = {
    ServiceName: service.name,
    serviceID: service.serviceId,
    convinience_fee: '0 %',
    varations,
  };
  return json({ response_description: '000', content });
}

export function balance(vtpass: Vtpass): Reply {
  return json({ code: 1, contents: { balance: nairaNumber(vtpass.account.balance()) } });
}
