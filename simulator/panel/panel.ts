/**
 * The shared parts of the simulated panels: an account of each family, and the acceptance of an
 * order. The panels answer as falsely as real ones. A panel that ignores the caller's reference
 * keeps the order under its own id, so the books show that one.
 */
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, unitsFor } from '../customers.ts';
import type { ProviderName } from '../faults.ts';
import type { Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil, type Words } from '../misbehave.ts';
import { nairaText, parseNaira } from '../naira.ts';

/** The key and the login of the simulator's only account. They protect nothing. */
export const PANEL_KEY = 'simulator-panel-key';
export const PANEL_LOGIN = 'simulator:simulator-panel-password';

export type PanelProduct = 'airtime' | 'data' | 'CABLE' | 'ELECTRICITY' | 'EDUCATION';

export type Panel = {
  readonly account: Account;
  readonly words: Words;
  /** Whether airtime that the network refused is called successful. */
  readonly liesAboutAirtime: boolean;
  /** The next id of the panel. */
  nextId: number;
  /** Returns the reply about an order that was just taken. */
  reply(order: Order): Reply;
  /** Returns the refusal of an order whose reference was used before. */
  repeated(): Reply;
};

export function openPanel(
  provider: ProviderName,
  simulation: Simulation,
  how: Pick<Panel, 'words' | 'liesAboutAirtime' | 'reply' | 'repeated'>,
): Panel {
  const account = new Account(provider, simulation, () => ({ body: {}, isAccepted: async () => true }));
  const ids = account.orders().map(({ detail }) => Number(detail.id ?? 0));
  return { ...how, account, nextId: 1 + ids.reduce((most, id) => Math.max(most, id), 0) };
}

export type Asked = {
  readonly product: PanelProduct;
  readonly recipient: string;
  /** In kobo; undefined when it cannot be read. */
  readonly amount: bigint | undefined;
  readonly network: string;
  readonly plan?: string;
  readonly isPrepaid?: boolean;
  /** The caller's reference, if the panel accepts it. */
  readonly reference?: string;
};

/** Accepts an order and answers it, with the fault of the call. */
export async function buy(panel: Panel, asked: Asked, invalid: Reply): Promise<Reply> {
  const { account, words } = panel;
  const { recipient, amount, network } = asked;
  if (amount === undefined || amount === 0n || recipient === '' || network === '') return invalid;
  const fault = account.fault('pay', recipient);
  await holdBack(fault);
  const order = newOrder(panel, { ...asked, amount }, fault);
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'used') return panel.repeated();
    if (outcome === 'float_out') return words.floatOut;
  }
  const reply = panel.reply(order);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function newOrder(
  panel: Panel,
  asked: Asked & { readonly amount: bigint },
  fault: Parameters<typeof fateOf>[0],
): Order {
  const now = new Date();
  const { product, recipient, amount, network, plan, isPrepaid, reference } = asked;
  const id = String(panel.nextId);
  panel.nextId += 1;
  const cost = (amount * 97n) / 100n;
  const before = panel.account.balance();
  const isLie = fault?.fault === 'refused' && product === 'airtime' && panel.liesAboutAirtime;
  const { settles, ...fate } = fateOf(fault && isLie ? { ...fault, fault: 'false_success' } : fault, now);
  return {
    provider: panel.account.provider,
    reference: reference ?? id,
    product,
    recipient,
    amount,
    cost,
    acceptedAt: now,
    ...fate,
    ...(settles && { settles: { ...settles, callbacks: 0 } }),
    detail: {
      id,
      network,
      plan: plan ?? '',
      meter: isPrepaid ? 'prepaid' : '',
      before: nairaText(before),
      after: nairaText(before - cost),
    },
  };
}

/** Returns the panel's report of an order, which may be false until it is settled. */
export function saidOf({ status, settles }: Order): 'success' | 'pending' | 'failed' {
  if (status === 'pending') return 'pending';
  return status === 'delivered' || settles !== undefined ? 'success' : 'failed';
}

/** Returns the token of a prepaid meter, or the PIN of an exam, once it is there. */
export function goodsOf(order: Order): {
  readonly token?: string;
  readonly units?: string;
  readonly pin?: string;
  readonly serial?: string;
} {
  const isLate = order.goodsAt !== undefined && order.goodsAt > new Date();
  if (saidOf(order) !== 'success' || isLate) return {};
  if (order.product === 'EDUCATION') {
    const digits = (what: string, length: number): string => digitsFrom(order.reference, what).slice(-length);
    return { pin: digits('pin', 12), serial: `WRN${digits('serial', 9)}` };
  }
  if (order.detail.meter !== 'prepaid') return {};
  return { token: digitsFrom(order.reference, 'token'), units: unitsFor(order.amount) };
}

/** Returns the name of a customer. Undefined for an unknown customer. */
export function nameOf(product: 'CABLE' | 'ELECTRICITY', recipient: string): string | undefined {
  return findCustomer(product, recipient)?.name;
}

/** Verifies a customer, with the fault of the call. */
export async function verify(panel: Panel, recipient: string, reply: Reply): Promise<Reply> {
  const fault = panel.account.fault('verify', recipient);
  await holdBack(fault);
  return fault === undefined ? reply : spoil(fault, reply, panel.words, panel.account.settings.timeoutMs);
}

/** Whether queries find an order yet. */
export function isVisible({ visibleAt, movement }: Order): boolean {
  return movement === undefined && (visibleAt === undefined || visibleAt <= new Date());
}

/** A plan or bouquet with the id N costs N naira. */
export function priceOf(plan: unknown): bigint | undefined {
  return parseNaira(plan);
}

export const EXAM_PRICE = 5_350_00n;

/** The data plans that the panels list, as id and size. */
export const PLANS = [
  [100, '110MB'],
  [250, '500MB'],
  [480, '1GB'],
  [900, '2GB'],
] as const;

export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** A text or a number as text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const PAGE = '<!doctype html><html><head><title>301 Moved Permanently</title></head><body></body></html>';

/** A path without the slash at its end. */
export const moved: Reply = { kind: 'text', status: 301, type: 'text/html', text: PAGE };

export const page404: Reply = { kind: 'text', status: 404, type: 'text/html', text: '<h1>Not Found</h1>' };
