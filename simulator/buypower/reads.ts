/** The calls that change nothing: orders, meters, billers that are up, prices, the balance. */
import { findCustomer } from '../customers.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import { queryReply, refusal, words } from './replies.ts';
import { type Buypower, DISCOS } from './vend.ts';

/** Both spellings of the query. */
export async function query({ account }: Buypower, reference: string): Promise<Reply> {
  const order = await account.find(reference);
  const fault = account.fault('requery', order?.recipient ?? '');
  const isVisible = order !== undefined && (order.visibleAt === undefined || order.visibleAt <= new Date());
  const none = refusal(404, 20, `No transaction found with reference: ${reference}`);
  return await spoiled(account.settings.timeoutMs, fault, isVisible ? queryReply(order) : none);
}

export async function check({ account }: Buypower, asked: URLSearchParams): Promise<Reply> {
  const text = (name: string): string => asked.get(name) ?? '';
  const isTv = text('vertical') === 'TV';
  const fault = account.fault('verify', text('meter'));
  const as = isTv ? text('disco') : text('vendType').toLowerCase();
  const customer =
    fault?.fault === 'refused' ? undefined : findCustomer(isTv ? 'CABLE' : 'ELECTRICITY', text('meter'), as);
  const reply =
    customer === undefined
      ? json({ error: true, message: 'Invalid meter number', responseCode: 203 }, 400)
      : json({
          error: false,
          discoCode: text('disco'),
          vendType: text('vendType'),
          meterNo: text('meter'),
          minVendAmount: 100,
          maxVendAmount: 1_000_000,
          responseCode: 100,
          outstanding: customer.gets === 'debt cleared' ? 25_000 : 0,
          debtRepayment: 0,
          name: customer.name,
          address: customer.address,
          tariff: '66.64',
          tariffDesc: 'R2',
          tariffClass: 'R2',
        });
  return await spoiled(account.settings.timeoutMs, fault, reply);
}

async function spoiled(timeoutMs: number, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  await holdBack(fault);
  return spoil(fault, reply, words, timeoutMs);
}

export function balance({ account }: Buypower): Reply {
  return json({ balance: nairaText(account.balance()) });
}

export function discos(_: Buypower): Readonly<Record<string, boolean>> {
  const all = [...DISCOS, 'DSTV', 'GOTV', 'STARTIMES'];
  return Object.fromEntries(all.map((name) => [name, true]));
}

export function tariffs({ bouquets }: Buypower, asked: URLSearchParams): Reply {
  const data = bouquets
    .filter(({ network }) => asked.get('vertical') === 'TV' && network === asked.get('provider'))
    .map(({ name, price = 0n, codes }) => ({
      code: codes.vtpass?.variation_code,
      name,
      price: nairaNumber(price),
    }));
  return json({ status: true, responseCode: 200, data });
}
