/** The calls that change nothing: the list of eSIMs, packages, the balance. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { spoil } from '../misbehave.ts';
import type { EsimAccess } from './esimaccess.ts';
import { esimRecord, good, packageRecord, refusal, words } from './replies.ts';

const PAGE_SIZE = { least: 5, most: 500 };
const UNITS_PER_KOBO = { numerator: 100n, denominator: 1_500n };

/** eSIMs by order number, or made within a time. */
export async function listEsims(esimaccess: EsimAccess, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const pager = pagerOf(fields.pager);
  if (pager === undefined) return refusal('000105', 'pager is missing or not right');
  const from = Date.parse(String(fields.startTime));
  const to = Date.parse(String(fields.endTime));
  const isWanted = (order: Order): boolean =>
    fields.orderNo === undefined
      ? order.acceptedAt.getTime() >= from && order.acceptedAt.getTime() < to
      : order.detail.orderNo === fields.orderNo;
  const now = new Date();
  const orders = await esimaccess.account.storedOrders();
  const found = orders.filter((order) => isWanted(order) && isVisible(order, now));
  const page = found.slice((pager.number - 1) * pager.size, pager.number * pager.size);
  const reply = good({
    esimList: page.map((order) => esimRecord(order, now)),
    pager: { pageNum: pager.number, pageSize: pager.size, total: found.length },
  });
  return await spoiled(esimaccess, faultOf(esimaccess, found), reply);
}

/** A list of many orders has no package of its own: a rule is met by the newest order it names. */
function faultOf({ account }: EsimAccess, found: readonly Order[]): Fault | undefined {
  return account.fault('requery', found.at(-1)?.detail.slug ?? '');
}

export async function listPackages(esimaccess: EsimAccess): Promise<Reply> {
  const reply = good({ packageList: esimaccess.catalog.listed.map(packageRecord) });
  return await spoiled(esimaccess, esimaccess.account.fault('verify', ''), reply);
}

/** In 1/10,000 of a dollar. */
export function balance({ account }: EsimAccess): Reply {
  const { numerator, denominator } = UNITS_PER_KOBO;
  return good({ balance: Number((account.balance() * numerator) / denominator) });
}

function isVisible({ visibleAt }: Order, now: Date): boolean {
  return visibleAt === undefined || visibleAt <= now;
}

function pagerOf(value: unknown): { readonly number: number; readonly size: number } | undefined {
  const { pageNum, pageSize } = (typeof value === 'object' && value !== null ? value : {}) as {
    pageNum?: unknown;
    pageSize?: unknown;
  };
  if (typeof pageNum !== 'number' || typeof pageSize !== 'number' || pageNum < 1) return undefined;
  return pageSize < PAGE_SIZE.least || pageSize > PAGE_SIZE.most
    ? undefined
    : { number: pageNum, size: pageSize };
}

async function spoiled({ account }: EsimAccess, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  if (fault.delayMs > 0) await sleep(fault.delayMs);
  return spoil(fault, reply, words, account.settings.timeoutMs);
}
