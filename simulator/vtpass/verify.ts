/**
 * `POST /merchant-verify`. A wrong number is told under the code of success, and the fields differ
 * by biller, as VTpass's do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findCustomer, isPlausible, type SimulatedCustomer } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import { spoil } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import { presentBouquet } from './bouquet.ts';
import type { Service } from './catalog.ts';
import { refusal, words } from './replies.ts';
import type { Vtpass } from './vtpass.ts';

export async function verify({ account, catalog }: Vtpass, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { billersCode, serviceID, type } = fields;
  const service = catalog.get(String(serviceID));
  if (service === undefined || (service.product !== 'ELECTRICITY' && service.product !== 'CABLE')) {
    return refusal('012');
  }
  const isMeter = service.product === 'ELECTRICITY';
  if (typeof billersCode !== 'string' || !isPlausible(service.product, billersCode)) return refusal('011');
  if (isMeter && type !== 'prepaid' && type !== 'postpaid') return refusal('011');
  const fault = account.fault('verify', billersCode);
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs);
  const as = isMeter ? String(type) : service.serviceId.toUpperCase();
  const customer = fault?.fault === 'refused' ? undefined : findCustomer(service.product, billersCode, as);
  const reply = json({ code: '000', content: content(service, billersCode, String(type), customer) });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function content(
  service: Service,
  number: string,
  type: string,
  customer: SimulatedCustomer | undefined,
): Record<string, unknown> {
  if (customer === undefined) {
    const error =
      service.product === 'ELECTRICITY'
        ? 'This meter is not correct or is not a valid meter for this service. Please check and try again'
        : 'SmartCardNumber is not valid. Please check and try again';
    return { error, WrongBillersCode: true };
  }
  if (service.product === 'ELECTRICITY') return meterContent(service, number, type, customer);
  const common = { Customer_Name: customer.name, WrongBillersCode: false };
  if (service.serviceId === 'startimes') return { ...common, Balance: 0, Smartcard_Number: number };
  const { bouquet, due } = presentBouquet(service, number);
  return {
    ...common,
    Status: 'ACTIVE',
    Due_Date: '2026-12-31T00:00:00',
    Customer_Number: number,
    Customer_Type: service.serviceId.toUpperCase(),
    Current_Bouquet: `${bouquet.name} N${nairaText(bouquet.price)}`,
    Current_Bouquet_Code: bouquet.code,
    Renewal_Amount: nairaNumber(due),
  };
}

const DEBT = 25_000_00n;

function meterContent(
  { serviceId }: Service,
  number: string,
  type: string,
  { name, address, canVend, gets }: SimulatedCustomer,
): Record<string, unknown> {
  const owed = gets === 'debt cleared' ? DEBT : 0n;
  const common = { Customer_Name: name, WrongBillersCode: false, Can_Vend: canVend ? 'yes' : 'no' };
  if (serviceId === 'ikeja-electric' || serviceId === 'eko-electric') {
    return {
      ...common,
      Address: address,
      Meter_Number: number,
      Customer_Arrears: nairaText(owed),
      Minimum_Amount: '',
      Min_Purchase_Amount: '1000.00',
      MAX_Purchase_Amount: '1000000',
      Business_Unit: 'IKEJA',
      Customer_Account_Type: 'NMD',
      Meter_Type: type.toUpperCase(),
      Tariff: 'A-NON-MD',
      commission_details: { amount: null, rate: '3.00', rate_type: 'percent', computation_type: 'default' },
    };
  }
  return {
    ...common,
    Address: address,
    MeterNumber: Number(number),
    Outstanding: nairaNumber(owed),
    Min_Purchase_Amount: 0,
    Customer_Account_Type: 'MD2',
    Customer_District: 'CENTRAL',
    Customer_District_Reference: `CEN-${number.slice(-4)}`,
    Service_Band: 'B',
  };
}
