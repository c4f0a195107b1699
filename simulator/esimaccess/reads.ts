/** The calls that change nothing: the list of eSIMs, their use, packages, places, the balance. */
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import type { Package } from './catalog.ts';
import type { EsimAccess } from './esimaccess.ts';
import { esimRecords, good, packageRecord, profilesOf, refusal, words } from './replies.ts';

const PAGE_SIZE = { least: 5, most: 500 };
const UNITS_PER_KOBO = { numerator: 100n, denominator: 1_500n };

/** eSIMs by one of their numbers or by time. Without a filter, all of them. */
export async function listEsims(esimaccess: EsimAccess, body: unknown): Promise<Reply> {
  const fields = fieldsOf(body);
  const pager = pagerOf(fields.pager);
  if (pager === undefined) return refusal('000105', 'pager is missing or not right');
  const now = new Date();
  const isWanted = filterOf(fields);
  // A query by order number is answered truthfully.
  const isOfPeriod = fields.startTime !== undefined;
  const { account } = esimaccess;
  const orders = isOfPeriod ? await account.toldOrders() : await account.storedOrders();
  const found = orders.filter(
    (order) => order.movement === undefined && isWanted(order) && isVisible(order, now),
  );
  const eSims = found.flatMap((order) => esimRecords(order, now));
  const reply = good({
    esimList: eSims.slice((pager.number - 1) * pager.size, pager.number * pager.size),
    pager: { pageNum: pager.number, pageSize: pager.size, total: eSims.length },
  });
  return await spoiled(esimaccess, faultOf(esimaccess, found), reply);
}

type Fields = Readonly<Record<string, unknown>>;

/** Null and empty text are no value. */
function fieldsOf(body: unknown): Fields {
  const given = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== ''));
}

function filterOf({ orderNo, iccid, esimTranNo, startTime, endTime }: Fields): (order: Order) => boolean {
  if (orderNo !== undefined) return (order) => order.detail.orderNo === orderNo;
  if (iccid !== undefined) return (order) => profilesOf(order).some((one) => one.iccid === iccid);
  if (esimTranNo !== undefined) {
    return (order) => profilesOf(order).some((one) => one.esimTranNo === esimTranNo);
  }
  if (startTime === undefined && endTime === undefined) return () => true;
  const [from, to] = [Date.parse(String(startTime)), Date.parse(String(endTime))];
  return ({ acceptedAt }) => acceptedAt.getTime() >= from && acceptedAt.getTime() < to;
}

/** A list of many orders names no package, so the rule of the newest order in it applies. */
function faultOf({ account }: EsimAccess, found: readonly Order[]): Fault | undefined {
  return account.fault('requery', found.at(-1)?.detail.slug ?? '');
}

/** Filtered by country and by either code, if given. */
export async function listPackages(esimaccess: EsimAccess, body: unknown): Promise<Reply> {
  const { locationCode, packageCode, slug } = fieldsOf(body);
  const code = packageCode ?? slug;
  const one = code === undefined ? undefined : esimaccess.catalog.find(String(code));
  const packages = code === undefined ? esimaccess.catalog.listed : one === undefined ? [] : [one];
  const isWanted = ({ country }: Package): boolean =>
    locationCode === undefined ||
    country === locationCode ||
    (country === undefined && locationCode === '!GL');
  const reply = good({ packageList: packages.filter(isWanted).map(packageRecord) });
  return await spoiled(esimaccess, esimaccess.account.fault('verify', ''), reply);
}

/** The countries of the packages. */
export function listLocations({ catalog }: EsimAccess): Reply {
  const codes = new Set(catalog.listed.flatMap(({ country }) => country ?? []));
  return good({ locationList: [...codes].map((code) => ({ code, name: code, type: 1, subLocation: null })) });
}

/** No customer has used any data yet. */
export async function usage({ account }: EsimAccess, body: unknown): Promise<Reply> {
  const { esimTranNoList } = fieldsOf(body);
  const wanted = Array.isArray(esimTranNoList) ? esimTranNoList : [];
  const now = new Date();
  const records = (await account.storedOrders()).flatMap((order) => esimRecords(order, now));
  const esimUsageList = records
    .filter(({ esimTranNo }) => wanted.includes(esimTranNo))
    .map(({ esimTranNo, totalVolume }) => ({
      esimTranNo,
      dataUsage: 0,
      totalData: totalVolume,
      lastUpdateTime: now,
    }));
  return good({ esimUsageList });
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
  const { pageNum, pageSize } = fieldsOf(value);
  const [number, size] = [Number(pageNum), Number(pageSize)];
  if (!Number.isInteger(number) || !Number.isInteger(size) || number < 1) return undefined;
  return size < PAGE_SIZE.least || size > PAGE_SIZE.most ? undefined : { number, size };
}

async function spoiled({ account }: EsimAccess, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  await holdBack(fault);
  return spoil(fault, reply, words, account.settings.timeoutMs);
}
