/** Reads the query string of a purchase, or returns ClubKonnect's error for it. Pure. */
import { findCustomer } from '../customers.ts';
import { nairaNumber, parseNaira } from '../naira.ts';
import { BETTING, type Catalog, DISCOS, NETWORKS } from './catalog.ts';

export type Purchase = {
  readonly product: 'airtime' | 'data' | 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';
  readonly recipient: string;
  readonly amount: bigint;
  /** A part of the amount, in per cent. */
  readonly discount: bigint;
  readonly detail: Readonly<Record<string, string>>;
};

type Read = Purchase | { readonly refused: string };

const MOBILE = /^0[789][01]\d{8}$/;
const AIRTIME = { min: 50_00n, max: 50_000_00n } as const;
const DISCOUNTS: Readonly<Record<string, bigint>> = { '01': 3n, '02': 8n, '03': 7n, '04': 3n };

const CARD_VALUES: ReadonlySet<string> = new Set(['100', '200', '500']);

/** `path` without `.asp`. Undefined for a path that buys nothing. */
export function readPurchase(path: string, query: URLSearchParams, catalog: Catalog): Read | undefined {
  return READERS[path]?.((name) => query.get(name) ?? '', catalog);
}

type Get = (name: string) => string;

const READERS: Readonly<Record<string, (get: Get, catalog: Catalog) => Read>> = {
  APIAirtimeV1: (get) => {
    const code = get('MobileNetwork');
    const network = NETWORKS.get(code);
    const amount = parseNaira(get('Amount'));
    if (network === undefined) return { refused: 'MISSING_MOBILENETWORK' };
    if (!MOBILE.test(get('MobileNumber'))) return { refused: 'MISSING_MOBILENUMBER' };
    if (amount === undefined || amount < AIRTIME.min || amount > AIRTIME.max)
      return { refused: 'MINIMUM_50' };
    const detail = { network, ordertype: `${nairaNumber(amount)} Credit` };
    return {
      product: 'airtime',
      recipient: get('MobileNumber'),
      amount,
      discount: DISCOUNTS[code] ?? 0n,
      detail,
    };
  },

  APIDatabundleV1: (get, { dataPlans }) => {
    const network = NETWORKS.get(get('MobileNetwork')) ?? '';
    const plan = dataPlans.get(get('MobileNetwork'))?.get(get('DataPlan'));
    if (plan === undefined) return { refused: 'INVALID_DATAPLAN' };
    if (!MOBILE.test(get('MobileNumber'))) return { refused: 'MISSING_MOBILENUMBER' };
    const detail = { network, ordertype: plan.name };
    return { product: 'data', recipient: get('MobileNumber'), amount: plan.price, discount: 0n, detail };
  },

  APIElectricityV1: (get) => {
    const [disco, meterType, recipient] = [get('ElectricCompany'), get('MeterType'), get('MeterNo')];
    const amount = parseNaira(get('Amount'));
    if (!DISCOS.has(disco) || !(meterType in METER_KINDS)) return { refused: 'MISSING_ELECTRICCOMPANY' };
    if (amount === undefined || !MOBILE.test(get('PhoneNo'))) return { refused: 'MISSING_PHONENO' };
    const customer = findCustomer('ELECTRICITY', recipient, METER_KINDS[meterType]);
    if (!customer?.canVend) return { refused: 'INVALID_METERNO' };
    const detail = { network: disco, ordertype: 'Electricity', meterType };
    return { product: 'ELECTRICITY', recipient, amount, discount: 0n, detail };
  },

  APICableTVV1: (get, { packages }) => {
    const [company, recipient] = [get('CableTV'), get('SmartCardNo')];
    const plan = packages.get(company)?.get(get('Package'));
    if (plan === undefined) return { refused: 'MISSING_PACKAGE' };
    if (!MOBILE.test(get('PhoneNo'))) return { refused: 'MISSING_PHONENO' };
    if (findCustomer('CABLE', recipient, company.toUpperCase()) === undefined) {
      return { refused: 'INVALID_SMARTCARDNO' };
    }
    const detail = { network: company, ordertype: plan.name };
    return { product: 'CABLE', recipient, amount: plan.price, discount: 0n, detail };
  },

  APIBettingV1: (get) => {
    const [company, recipient] = [get('BettingCompany'), get('CustomerID')];
    const amount = parseNaira(get('Amount'));
    if (!BETTING.has(company) || amount === undefined) return { refused: 'MISSING_BETTINGCOMPANY' };
    if (findCustomer('BETTING', recipient) === undefined) return { refused: 'INVALID_CUSTOMERID' };
    const detail = { network: company, ordertype: 'Betting' };
    return { product: 'BETTING', recipient, amount, discount: 0n, detail };
  },

  APIWAECV1: (get, { exams }) => {
    const exam = exams.get(get('ExamType'));
    if (exam === undefined) return { refused: 'MISSING_EXAMTYPE' };
    if (!MOBILE.test(get('PhoneNo'))) return { refused: 'MISSING_PHONENO' };
    const detail = { network: 'WAEC', ordertype: exam.name, exam: exam.id };
    return { product: 'EDUCATION', recipient: get('PhoneNo'), amount: exam.price, discount: 0n, detail };
  },

  APIEPINV1: (get) => {
    const network = NETWORKS.get(get('MobileNetwork'));
    const value = get('Value');
    if (network === undefined) return { refused: 'MISSING_MOBILENETWORK' };
    if (!CARD_VALUES.has(value)) return { refused: 'VALUE_ALLOWED_100_200_500' };
    // Each gateway order is for one card.
    if (get('Quantity') !== '1') return { refused: 'QUANTITY_NOT_AVAILABLE' };
    const detail = { network, ordertype: `${value} EPIN`, card: value };
    const recipient = `EPIN ${network} ${value}`;
    return { product: 'EDUCATION', recipient, amount: BigInt(value) * 100n, discount: 0n, detail };
  },

  APIJAMBV1: (get, { exams }) => {
    const exam = exams.get(get('ExamType'));
    const recipient = get('ProfileID');
    if (exam === undefined) return { refused: 'MISSING_EXAMTYPE' };
    if (findCustomer('EDUCATION', recipient) === undefined) return { refused: 'INVALID_PROFILEID' };
    const detail = { network: 'JAMB', ordertype: exam.name, exam: exam.id };
    return { product: 'EDUCATION', recipient, amount: exam.price, discount: 0n, detail };
  },
};

export const METER_KINDS: Readonly<Record<string, string>> = { '01': 'prepaid', '02': 'postpaid' };
