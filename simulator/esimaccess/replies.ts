/** eSIM Access's replies: its envelope, eSIMs, packages. */
import type { Order } from '../books.ts';
import { digitsFrom } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { type Package, packageCodeOf } from './catalog.ts';

export function good(obj: unknown): Reply {
  return json({ success: true, errorCode: '0', errorMsg: null, obj });
}

export function refusal(errorCode: string, errorMsg: string): Reply {
  return json({ success: false, errorCode, errorMsg, obj: null });
}

/** eSIM Access's error replies. */
export const words: Words = {
  odd: { success: 'perhaps', obj: {} },
  noAccess: refusal('101002', 'The IP address is on the block list'),
  floatOut: refusal('200007', 'Insufficient account balance'),
  billerDown: refusal('200011', 'Insufficient available profiles'),
  unauthorized: refusal('101003', 'The request signature is not right'),
  rateLimited: json({ success: false, errorCode: null, errorMsg: 'Too many requests', obj: null }, 429),
  stranger: () => ({
    success: true,
    errorCode: '0',
    obj: { orderNo: 'B00000000000000', transactionId: '20260101T000000-00000000000000000000000000000000' },
  }),
};

/** In powers of two, as the provider counts: 1 GB is 1,073,741,824 bytes. */
function bytesOf(megabytes: number): number {
  return megabytes < 1_000 ? megabytes * 2 ** 20 : Math.round((megabytes / 1_000) * 2 ** 10) * 2 ** 20;
}

type Profile = { readonly esimTranNo: string; readonly iccid: string; readonly ac: string };

/** The eSIMs of an order; without their profiles while those are being allocated. */
export function profilesOf(order: Order, now = new Date()): readonly Profile[] {
  const { count = '1', esimTranNo = '' } = order.detail;
  const isReady = order.status === 'delivered' && (order.goodsAt === undefined || order.goodsAt <= now);
  return Array.from({ length: Number(count) }, (_, index) => {
    // The only one has the order's own number.
    const own = index === 0 ? order.reference : `${order.reference}/${index}`;
    return {
      esimTranNo: index === 0 ? esimTranNo : `${esimTranNo}${index}`,
      iccid: isReady ? iccidOf(own) : '',
      ac: isReady ? `LPA:1$rsp.simulator.example$${codeOf(own)}` : '',
    };
  });
}

/** Some have been installed by their customers since. */
export function stateOf({ status, detail, reference }: Order): string {
  if (status === 'failed') return 'CANCEL';
  if (status === 'pending') return 'GETTING_RESOURCE';
  return detail.state ?? (reference.endsWith('0') ? 'ONBOARDING' : 'GOT_RESOURCE');
}

/** The eSIMs of an order as the list shows them. */
export function esimRecords(order: Order, now: Date): readonly Record<string, unknown>[] {
  const { detail, reference } = order;
  return profilesOf(order, now).map((profile) => ({
    ...profile,
    orderNo: detail.orderNo,
    transactionId: reference,
    imsi: '',
    smdpStatus: 'RELEASED',
    esimStatus: stateOf(order),
    eid: '',
    expiredTime: order.acceptedAt.toISOString(),
    totalVolume: bytesOf(Number(detail.megabytes)),
    totalDuration: Number(detail.days),
    durationUnit: 'DAY',
    orderUsage: 0,
    packageList: [{ packageCode: detail.slug, duration: Number(detail.days) }],
  }));
}

/** 19 digits that begin as those of international eSIMs do, the last a check digit by Luhn. */
function iccidOf(reference: string): string {
  const body = `8943108${digitsFrom(reference, 'iccid').slice(0, 11)}`;
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Some companies write codes that make an LPA of 255 characters. */
const LONG_CODE = 227;

function codeOf(reference: string): string {
  const code = digitsFrom(reference, 'activation').slice(0, 16);
  return reference.endsWith('1') ? code.padEnd(LONG_CODE, 'X') : code;
}

export function packageRecord(one: Package): unknown {
  const { slug, name, price, megabytes, days, country } = one;
  return {
    packageCode: packageCodeOf(one),
    slug,
    name,
    price,
    currencyCode: 'USD',
    volume: bytesOf(megabytes),
    duration: days,
    durationUnit: 'DAY',
    location: country ?? 'US,CA,GB',
    description: name,
    activeType: 2,
    speed: '4G',
    smsStatus: 0,
    dataType: 1,
  };
}
