/** eSIM Access's replies: its envelope, eSIMs, packages. */
import type { Order } from '../books.ts';
import { digitsFrom } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import type { Package } from './catalog.ts';

export function good(obj: unknown): Reply {
  return json({ success: true, errorCode: '0', errorMsg: null, obj });
}

export function refusal(errorCode: string, errorMsg: string): Reply {
  return json({ success: false, errorCode, errorMsg, obj: null });
}

/** eSIM Access's own ways to say what goes wrong. */
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

const BYTES_PER_MB = 1_000_000;

/** An eSIM as the list shows it; without its profile while it is being allocated. */
export function esimRecord(order: Order, now: Date): Record<string, unknown> {
  const { detail, reference, status } = order;
  const isReady = status === 'delivered' && (order.goodsAt === undefined || order.goodsAt <= now);
  return {
    esimTranNo: detail.esimTranNo,
    orderNo: detail.orderNo,
    transactionId: reference,
    imsi: '',
    iccid: isReady ? iccidOf(reference) : '',
    ac: isReady ? `LPA:1$rsp.simulator.example$${codeOf(reference)}` : '',
    smdpStatus: 'RELEASED',
    esimStatus: status === 'failed' ? 'CANCEL' : status === 'pending' ? 'GETTING_RESOURCE' : 'GOT_RESOURCE',
    eid: '',
    expiredTime: order.acceptedAt.toISOString(),
    totalVolume: Number(detail.megabytes) * BYTES_PER_MB,
    totalDuration: Number(detail.days),
    durationUnit: 'DAY',
    orderUsage: 0,
    packageList: [{ packageCode: detail.slug, duration: Number(detail.days) }],
  };
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

function codeOf(reference: string): string {
  return reference.slice(-16).toUpperCase();
}

export function packageRecord({ slug, name, price, megabytes, days, country }: Package): unknown {
  return {
    packageCode: `P${slug}`,
    slug,
    name,
    price,
    currencyCode: 'USD',
    volume: megabytes * BYTES_PER_MB,
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
