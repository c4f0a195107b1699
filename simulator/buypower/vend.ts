/**
 * `POST /vend`: electricity and TV. The order is on disk before any answer is sent. Traps: a
 * repeated order id is answered like an error (409), a missing field has the code of an order in
 * process, and a failing order is always accepted first.
 */
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { type DemoPlan, readDemoPlans } from '../catalog.ts';
import { findCustomer } from '../customers.ts';
import { type Fault, plainFault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { parseNaira } from '../naira.ts';
import { refusal, vendReply, words } from './replies.ts';

/** The shared parts of the simulated BuyPower's calls. */
export type Buypower = {
  readonly account: Account;
  /** The bouquets of the demo catalog, under VTpass's codes. */
  readonly bouquets: readonly DemoPlan[];
};

export async function openBuypower(simulation: Simulation): Promise<Buypower> {
  const plans = await readDemoPlans();
  const bouquets = plans.filter(({ product, codes }) => product === 'CABLE' && codes.vtpass?.variation_code);
  // BuyPower is not known to send callbacks.
  const account = new Account('buypower', simulation, () => ({ body: {}, isAccepted: async () => true }));
  return { account, bouquets };
}

export const DISCOS: ReadonlySet<string> = new Set([
  'ABUJA',
  'EKO',
  'IKEJA',
  'IBADAN',
  'ENUGU',
  'PH',
  'JOS',
  'KADUNA',
  'KANO',
  'BH',
  'YOLA',
  'APLE',
]);

type Fields = Readonly<Record<string, unknown>>;

export async function vend({ account, bouquets }: Buypower, body: unknown): Promise<Reply> {
  const fields: Fields = typeof body === 'object' && body !== null ? (body as Fields) : {};
  const text = (name: string): string => String(fields[name] ?? '');
  const amount = parseNaira(fields.amount);
  const isTv = text('vertical') === 'TV';
  const bouquet = bouquets.find(({ codes }) => codes.vtpass?.variation_code === text('tariffClass'));
  const lacks = ['orderId', 'meter', 'disco', 'vendType', 'paymentType', 'vertical', 'phone'].find(
    (name) => text(name) === '',
  );
  if (lacks !== undefined) return missing(lacks === 'orderId' ? 'Order ID' : lacks);
  if (typeof fields.amount !== 'string' || amount === undefined) return missing('amount');
  if (!isTv && !DISCOS.has(text('disco'))) return missing('disco');
  if (isTv && bouquet === undefined) return missing('tariffClass');
  const recipient = text('meter');
  const fault = account.fault('pay', recipient);
  await holdBack(fault);
  const order = newOrder(text, amount, fault ?? unservable(text), new Date());
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    if (outcome === 'used') return refusal(409, 201, 'Request already received');
  }
  const reply = vendReply(order);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function missing(field: string): Reply {
  return refusal(400, 201, `Invalid ${field}. ${field} is required`);
}

/** A bill for an unknown customer is accepted, and fails later. */
function unservable(text: (name: string) => string): Fault | undefined {
  const isTv = text('vertical') === 'TV';
  const as = isTv ? text('disco') : text('vendType').toLowerCase();
  const customer = findCustomer(isTv ? 'CABLE' : 'ELECTRICITY', text('meter'), as);
  return customer?.canVend ? undefined : plainFault('pending_then_failed', false);
}

let ordersTaken = 0;

function newOrder(
  text: (name: string) => string,
  amount: bigint,
  fault: Fault | undefined,
  now: Date,
): Order {
  ordersTaken += 1;
  return {
    provider: 'buypower',
    reference: text('orderId'),
    product: text('vertical') === 'TV' ? 'CABLE' : 'ELECTRICITY',
    recipient: text('meter'),
    amount,
    cost: amount,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      disco: text('disco'),
      vendType: text('vendType'),
      phone: text('phone'),
      id: `${now.getTime()}${String(ordersTaken).padStart(6, '0')}`,
    },
  };
}
