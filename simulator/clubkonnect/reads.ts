/** The calls that buy nothing: the query of an order, verifications, lists, the balance. */
import { findCustomer, type SimulatedCustomer } from '../customers.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaText } from '../naira.ts';
import { BETTING, DISCOS, NETWORKS } from './catalog.ts';
import type { Clubkonnect } from './clubkonnect.ts';
import { METER_KINDS } from './purchase.ts';
import { grouped, queryBody, refusal, words } from './replies.ts';

/** `APIQueryV1`, by ClubKonnect's id or ours. */
export async function query({ account }: Clubkonnect, asked: URLSearchParams): Promise<Reply> {
  const [orderId, requestId] = [asked.get('OrderID'), asked.get('RequestID')];
  const order =
    orderId === null
      ? await account.find(requestId ?? '')
      : account.orders().find(({ detail }) => detail.orderid === orderId);
  const fault = account.fault('requery', order?.recipient ?? '');
  const isVisible = order !== undefined && (order.visibleAt === undefined || order.visibleAt <= new Date());
  const unknown = refusal(orderId === null ? 'INVALID_REQUESTID' : 'INVALID_ORDERID');
  return spoiled(fault, isVisible ? json(queryBody(order, account.balance())) : unknown, account);
}

/** Undefined for a path that verifies no customer. */
export async function verify(
  { account, catalog }: Clubkonnect,
  path: string,
  asked: URLSearchParams,
): Promise<Reply | undefined> {
  const get = (name: string): string => asked.get(name) ?? '';
  const answer = (
    id: string,
    isBiller: boolean,
    find: () => SimulatedCustomer | undefined,
    unknown: string,
  ): Promise<Reply> => {
    const fault = account.fault('verify', id);
    const customer = fault?.fault === 'refused' || !isBiller ? undefined : find();
    // The text for an unknown customer takes the place of the name.
    return spoiled(fault, json({ customer_name: customer?.name ?? unknown }), account);
  };
  switch (path) {
    case 'APIVerifyElectricityV1': {
      const kind = METER_KINDS[get('MeterType')];
      const find = (): SimulatedCustomer | undefined => findCustomer('ELECTRICITY', get('MeterNo'), kind);
      return answer(get('MeterNo'), DISCOS.has(get('ElectricCompany')), find, 'INVALID_METERNO');
    }
    case 'APIVerifyCableTVV1.0': {
      const company = get('CableTV');
      const find = (): SimulatedCustomer | undefined =>
        findCustomer('CABLE', get('SmartCardNo'), company.toUpperCase());
      return answer(get('SmartCardNo'), catalog.packages.has(company), find, 'INVALID_SMARTCARDNO');
    }
    case 'APIVerifyBettingV1': {
      const find = (): SimulatedCustomer | undefined => findCustomer('BETTING', get('CustomerID'));
      return answer(get('CustomerID'), BETTING.has(get('BettingCompany')), find, 'INVALID_CUSTOMERID');
    }
    case 'APIVerifyJAMBV1': {
      const find = (): SimulatedCustomer | undefined => findCustomer('EDUCATION', get('ProfileID'));
      return answer(get('ProfileID'), get('ExamType') === 'jamb', find, 'INVALID_PROFILEID');
    }
    default:
      return undefined;
  }
}

async function spoiled(
  fault: Fault | undefined,
  reply: Reply,
  { settings }: Clubkonnect['account'],
): Promise<Reply> {
  await holdBack(fault);
  return fault === undefined ? reply : spoil(fault, reply, words, settings.timeoutMs);
}

/** The plans of MTN and Glo are listed below `PRODUCT`, the others flat: both were seen. */
export function dataPlans({ catalog }: Clubkonnect): Reply {
  const lists = [...NETWORKS].map(([code, name]) => {
    const plans = [...(catalog.dataPlans.get(code)?.values() ?? [])].map((plan) => ({
      PRODUCT_CODE: plan.id,
      PRODUCT_ID: plan.id,
      PRODUCT_NAME: plan.name,
      PRODUCT_AMOUNT: nairaText(plan.price),
    }));
    return [name, code < '03' ? [{ ID: code, PRODUCT: plans }] : plans];
  });
  return json({ MOBILE_NETWORK: Object.fromEntries(lists) });
}

export function balance({ account }: Clubkonnect): Reply {
  const date = new Date().toISOString().slice(0, 10);
  return json({ date, id: 'CK0000001', phoneno: '08030000000', balance: grouped(account.balance()) });
}
