/**
 * Builds the calls that buy, query and verify. Pure. Every call is a GET; the connector adds the
 * account. The plan's codes name the biller. ClubKonnect documents no fractions of a naira, so an
 * amount with kobo is refused here, and never rounded.
 */
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';

export type Fields = Readonly<Record<string, string>>;

/** A path without `.asp`, and the fields of its query string besides the account's. */
export type Call = { readonly path: string; readonly fields: Fields };

/** ClubKonnect cannot serve the order. */
type Lacking = { readonly lacks: 'code' | 'phone' | 'whole naira' };

export type Purchase = Call | Lacking;

/** The bills that need a mobile number beside the customer's id. */
export const phonedBills: ReadonlySet<string> = new Set(['ELECTRICITY', 'CABLE']);

const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['MTN', '01'],
  ['GLO', '02'],
  ['9MOBILE', '03'],
  ['AIRTEL', '04'],
]);

const METER_TYPES: ReadonlyMap<string, string> = new Map([
  ['prepaid', '01'],
  ['postpaid', '02'],
]);

/** Builds the call that buys. `contactPhone` replaces a missing phone of a bill. */
export function toPurchase(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  const call = callOf(order, contactPhone);
  if ('lacks' in call) return call;
  return { path: call.path, fields: { ...call.fields, RequestID: order.reference } };
}

const CODE: Lacking = { lacks: 'code' };

function callOf(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  switch (order.product) {
    case 'airtime':
    case 'data':
      return topUp(order);
    case 'ELECTRICITY':
      return electricity(order, contactPhone);
    case 'CABLE':
      return cable(order, contactPhone);
    case 'BETTING':
      return betting(order);
    case 'EDUCATION':
      return education(order, contactPhone);
    default:
      return CODE;
  }
}

function topUp(order: ProviderOrder): Purchase {
  const MobileNetwork = NETWORKS.get(order.network);
  if (MobileNetwork === undefined) return CODE;
  const line = { MobileNetwork, MobileNumber: localForm(order.recipient) };
  if (order.product === 'airtime') {
    return withAmount(order, (Amount) => ({ path: 'APIAirtimeV1', fields: { ...line, Amount } }));
  }
  const DataPlan = order.planCodes?.variation_code;
  return DataPlan === undefined ? CODE : { path: 'APIDatabundleV1', fields: { ...line, DataPlan } };
}

function electricity(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  const meter = meterOf(order);
  if (meter === undefined) return CODE;
  return withPhone(order, contactPhone, (PhoneNo) =>
    withAmount(order, (Amount) => ({ path: 'APIElectricityV1', fields: { ...meter, PhoneNo, Amount } })),
  );
}

/** Returns the fields that name a meter. Undefined when the plan lacks a code. */
function meterOf({ recipient, planCodes }: CustomerQuery): Fields | undefined {
  const { electric_company: ElectricCompany, meter_type = '' } = planCodes ?? {};
  const MeterType = METER_TYPES.get(meter_type);
  if (ElectricCompany === undefined || MeterType === undefined) return undefined;
  return { ElectricCompany, MeterType, MeterNo: recipient };
}

function cable(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  const { cable_tv: CableTV, package: Package } = order.planCodes ?? {};
  if (CableTV === undefined || Package === undefined) return CODE;
  return withPhone(order, contactPhone, (PhoneNo) => ({
    path: 'APICableTVV1',
    fields: { CableTV, Package, SmartCardNo: order.recipient, PhoneNo },
  }));
}

function betting(order: ProviderOrder): Purchase {
  const BettingCompany = order.planCodes?.betting_company;
  if (BettingCompany === undefined) return CODE;
  return withAmount(order, (Amount) => ({
    path: 'APIBettingV1',
    fields: { BettingCompany, CustomerID: order.recipient, Amount },
  }));
}

/**
 * WAEC is sold for a phone, JAMB for the profile code that was verified. A plan with a `value` is a
 * recharge card, which has no recipient.
 */
function education(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  const { exam_type: ExamType, mobile_network: MobileNetwork, value: Value } = order.planCodes ?? {};
  if (MobileNetwork !== undefined && Value !== undefined) {
    return { path: 'APIEPINV1', fields: { MobileNetwork, Value, Quantity: '1' } };
  }
  if (ExamType === undefined) return CODE;
  if (order.network === 'WAEC') {
    return { path: 'APIWAECV1', fields: { ExamType, PhoneNo: localForm(order.recipient) } };
  }
  if (order.network !== 'JAMB') return CODE;
  const phone = order.phone ?? contactPhone;
  const PhoneNo = phone === undefined ? {} : { PhoneNo: localForm(phone) };
  return { path: 'APIJAMBV1', fields: { ExamType, ProfileID: order.recipient, ...PhoneNo } };
}

const KOBO_PER_NAIRA = 100n;

function withAmount({ amount }: ProviderOrder, build: (naira: string) => Purchase): Purchase {
  return amount % KOBO_PER_NAIRA === 0n ? build(String(amount / KOBO_PER_NAIRA)) : { lacks: 'whole naira' };
}

function withPhone(
  { phone }: ProviderOrder,
  contactPhone: string | undefined,
  build: (phone: string) => Purchase,
): Purchase {
  const number = phone ?? contactPhone;
  return number === undefined ? { lacks: 'phone' } : build(localForm(number));
}

/**
 * Builds the query: by ClubKonnect's own id if an answer had one, because it is documented for
 * every order. It is not documented that bills keep our id.
 */
export function toQuery({ reference, providerId }: ProviderOrder): Call {
  const fields: Fields = providerId === undefined ? { RequestID: reference } : { OrderID: providerId };
  return { path: 'APIQueryV1', fields };
}

/** Builds the verification. Undefined when the plan has no code at ClubKonnect. */
export function toVerification(query: CustomerQuery): Call | undefined {
  const { recipient, planCodes } = query;
  const { cable_tv: CableTV, betting_company: BettingCompany } = planCodes ?? {};
  switch (query.product) {
    case 'ELECTRICITY': {
      const meter = meterOf(query);
      return meter && { path: 'APIVerifyElectricityV1', fields: meter };
    }
    case 'CABLE':
      return CableTV === undefined
        ? undefined
        : { path: 'APIVerifyCableTVV1.0', fields: { CableTV, SmartCardNo: recipient } };
    case 'BETTING':
      return BettingCompany === undefined
        ? undefined
        : { path: 'APIVerifyBettingV1', fields: { BettingCompany, CustomerID: recipient } };
    case 'EDUCATION':
      return { path: 'APIVerifyJAMBV1', fields: { ExamType: 'jamb', ProfileID: recipient } };
    default:
      return undefined;
  }
}
