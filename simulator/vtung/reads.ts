/** The calls that change nothing: requery, customers, variations, balance. */
import { type BillProduct, findCustomer } from '../customers.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import { asOf, SERVICES } from './pay.ts';
import { refusal, requeryReply, words } from './replies.ts';
import type { Vtung } from './vtung.ts';

type Fields = Readonly<Record<string, unknown>>;

export async function requery(vtung: Vtung, body: unknown): Promise<Reply> {
  const reference = String(((body ?? {}) as Fields).request_id ?? '');
  const order = await vtung.account.find(reference);
  const isVisible = order !== undefined && (order.visibleAt ?? order.acceptedAt) <= new Date();
  const reply = isVisible ? requeryReply(order) : refusal('order_not_found', 'Order not found', 404);
  const fault = vtung.account.fault('requery', order?.recipient ?? '');
  if (fault?.fault === 'unauthorized') vtung.tokens.revoke();
  return await spoiled(vtung, fault, reply);
}

export async function verify(vtung: Vtung, body: unknown): Promise<Reply> {
  const { customer_id, service_id, variation_id } = (body ?? {}) as Fields;
  const [id, service] = [String(customer_id ?? ''), String(service_id ?? '')];
  const product = productOf(service);
  if (product === undefined) return refusal('invalid_field', 'service_id is not valid', 400);
  const fault = vtung.account.fault('verify', id);
  const variation = typeof variation_id === 'string' ? variation_id : undefined;
  const customer =
    fault?.fault === 'refused' ? undefined : findCustomer(product, id, asOf(product, service, variation));
  const reply =
    customer === undefined
      ? refusal('failure', 'Customer could not be verified', 400)
      : json({
          code: 'success',
          message: 'Customer verified',
          data: { customer_name: customer.name, ...factsOf(product, id, customer.address) },
        });
  return await spoiled(vtung, fault, reply);
}

function productOf(service: string): BillProduct | undefined {
  if (SERVICES.electricity.includes(service)) return 'ELECTRICITY';
  if (SERVICES.tv.includes(service)) return 'CABLE';
  return SERVICES.betting.includes(service) ? 'BETTING' : undefined;
}

function factsOf(product: BillProduct, id: string, address: string): object {
  if (product === 'ELECTRICITY') {
    return {
      customer_address: address,
      customer_arrears: '0.00',
      outstanding: 0,
      min_purchase_amount: '1,000.00',
      max_purchase_amount: 1_000_000,
      meter_number: id,
    };
  }
  if (product === 'CABLE') {
    return {
      status: 'ACTIVE',
      current_bouquet: 'Padi',
      renewal_amount: 4400,
      due_date: '2026-12-31',
      balance: 0,
    };
  }
  return {
    customer_username: id.toLowerCase(),
    customer_email_address: null,
    customer_phone_number: null,
    minimum_amount: 100,
    maximum_amount: 100_000,
  };
}

export function variations(vtung: Vtung, kind: 'data' | 'tv', wanted: string | null): Reply {
  const title = kind === 'data' ? 'data_plan' : 'package_bouquet';
  const data = [...vtung.variations[kind]]
    .filter(([service]) => wanted === null || wanted === service)
    .flatMap(([service, own]) =>
      [...own.values()].map(({ id, name, price }) => ({
        variation_id: id,
        service_name: service.toUpperCase(),
        service_id: service,
        [title]: name,
        price: nairaText(price),
        reseller_price: nairaText((price * 98n) / 100n),
        availability: 'Available',
      })),
    );
  return json({ code: 'success', message: 'Variations', data });
}

export function balance({ account }: Vtung): Reply {
  const data = { balance: nairaNumber(account.balance()), currency: 'NGN' };
  return json({ code: 'success', message: 'Balance retrieved', data });
}

async function spoiled(vtung: Vtung, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  await holdBack(fault);
  return spoil(fault, reply, words, vtung.account.settings.timeoutMs);
}
