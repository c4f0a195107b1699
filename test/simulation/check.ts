/**
 * Checks that must hold after every command: the gateway's record against itself, the answers to
 * merchants against the record, and the record against the providers' books. Each difference is a
 * sentence.
 */
import { batchDifferences } from './batches.ts';
import type { BookedOrder, ProviderBook } from './provider-book.ts';
import type { BookedPayment } from './scripted-bank.ts';
import { panelName } from './scripted-panel.ts';
import type { StoredBatch, StoredDeposit, StoredPurchase, StoredWallet } from './stored-purchases.ts';

/** The status that a merchant got. Undefined: no answer yet, or an unclear one. */
export type Told = {
  readonly reference: string;
  readonly status: 'success' | 'failed' | 'pending' | 'not stored' | undefined;
  /** The goods that the merchant received. */
  readonly token?: string | undefined;
  /** For a purchase request: its charge by the price version that applied when it was sent. */
  readonly price?: bigint;
};

export type Checked = {
  readonly wallet: StoredWallet | undefined;
  readonly purchases: readonly StoredPurchase[];
  readonly batches: readonly StoredBatch[];
  readonly told: readonly Told[];
  /** The batches whose end was reported to the merchant: states by hash. */
  readonly ended: ReadonlyMap<string, string>;
  readonly book: Pick<ProviderBook, 'find' | 'orders' | 'recipientOf'>;
  readonly merchantId: number;
  readonly deposits: readonly StoredDeposit[];
  readonly payments: readonly BookedPayment[];
  /** Credited to the wallet other than by purchases or deposits. */
  readonly credited: bigint;
  /** Refunded for successes, as recorded by the operator. */
  readonly refunded: bigint;
  /** Settled by a person, by the purchase's id. */
  readonly settled: ReadonlySet<string>;
};

export function differences(checked: Checked): string[] {
  return [
    ...walletDifferences(checked),
    ...depositDifferences(checked),
    ...checked.purchases.flatMap((purchase) => purchaseDifferences(purchase, checked)),
    ...unknownOrders(checked),
    ...alikeOrders(checked),
    ...toldDifferences(checked),
    ...batchDifferences(checked),
  ];
}

function walletDifferences({ wallet, purchases, deposits, credited, refunded }: Checked): string[] {
  if (wallet === undefined) return ['the wallet is gone'];
  const { posted, held, floor, transferred, pending } = wallet;
  const wrong: string[] = [];
  if (posted !== transferred) wrong.push(`the wallet has ${posted}, its transfers say ${transferred}`);
  if (held !== pending) wrong.push(`the wallet holds ${held}, its pending purchases cost ${pending}`);
  if (posted - held < floor) wrong.push(`the wallet is at ${posted - held}, under its floor ${floor}`);
  const spent = purchases.reduce(
    (sum, purchase) => sum + (purchase.status === 'success' ? purchase.charge : 0n),
    0n,
  );
  const deposited = deposits.reduce((sum, { gross, fee }) => sum + gross - fee, 0n);
  const expected = credited + deposited + refunded - spent;
  if (posted !== expected) wrong.push(`the wallet has ${posted}, and should have ${expected}`);
  return wrong;
}

/** A deposit is a payment of the bank's, whole and once. */
function depositDifferences({ deposits, payments }: Checked): string[] {
  const paid = new Map(payments.map(({ reference, amount }) => [reference, amount]));
  return deposits.flatMap(({ reference, gross }, index) => [
    ...(paid.get(reference) === gross ? [] : [`deposit ${reference} of ${gross} was never paid`]),
    ...(deposits.findIndex((other) => other.reference === reference) === index
      ? []
      : [`payment ${reference} was taken in twice`]),
  ]);
}

function purchaseDifferences(purchase: StoredPurchase, { book, settled }: Checked): string[] {
  const wrong: string[] = [];
  const say = (what: string): void => void wrong.push(`${purchase.reference}: ${what}`);
  const { status, paid, charge, refunded } = purchase;
  if (purchase.is_pending === (status !== null))
    say(purchase.is_pending ? 'both pending and final' : 'neither pending nor final');
  if (paid !== (status === 'success' ? charge : 0n))
    say(`${status ?? 'pending'}, and ${paid} of ${charge} was taken`);
  if (refunded > (status === 'success' ? charge : 0n)) say(`${refunded} of ${charge} was given back`);
  // A success is recognised by its transfers.
  if (purchase.told !== (status === 'failed' ? 1 : 0))
    say(`its end is told ${purchase.told} times in the feed`);
  const orders = purchase.attempts.flatMap((reference) => book.find(reference) ?? []);
  if (
    purchase.token !== null &&
    (status !== 'success' || orders.every(({ token }) => token !== purchase.token))
  )
    say(`${status ?? 'pending'}, with the token ${purchase.token}`);
  for (const what of deliveryDifferences(purchase, orders, settled.has(purchase.id))) say(what);
  for (const what of evidenceDifferences(purchase, settled.has(purchase.id))) say(what);
  return wrong;
}

/**
 * Compares the record with the books. If a provider reported the opposite of an order, its report
 * is believed: a delivered order may fail, and a refused one may be a success. All other rules
 * still hold.
 */
function deliveryDifferences(
  purchase: StoredPurchase,
  orders: readonly BookedOrder[],
  isSettled: boolean,
): string[] {
  const wrong: string[] = [];
  const delivered = orders.filter(({ state }) => state === 'delivered');
  if (delivered.length > 1) wrong.push(`delivered ${delivered.length} times`);
  if (isSettled) return wrong;
  const isBelieved = orders.some(({ lied, state }) => lied && state === 'refused');
  if (purchase.status === 'success' && delivered.length === 0 && !isBelieved)
    wrong.push('success without a delivery');
  const denied = orders.filter((order) => !order.lied && !isForgotten(order, purchase));
  if (purchase.status === 'failed' && denied.some(({ state }) => state === 'delivered')) {
    wrong.push('failed, and it was delivered');
  }
  // An order that may still be delivered is not followed by another.
  const open = orders.slice(0, -1).filter(({ state }) => state === 'taken');
  if (open.length > 0) wrong.push('sent again while the order before it was under way');
  if (purchase.status === 'failed' && denied.some(({ state }) => state === 'taken')) {
    wrong.push('failed while an order was under way');
  }
  if (
    purchase.status === 'success' &&
    delivered.some(({ script }) => script.reception === 'delivers something else')
  ) {
    wrong.push('success by itself, and something else was delivered');
  }
  for (const { amount } of orders) {
    if (amount !== purchase.face_value) wrong.push(`ordered for ${amount}, sold for ${purchase.face_value}`);
  }
  return wrong;
}

/**
 * Its provider forgot it and the purchase failed as not found, before any answer that the provider
 * had accepted it was stored. Only the provider knew of such an order.
 */
function isForgotten(
  { reference, script }: BookedOrder,
  { attempts, answers, reason }: StoredPurchase,
): boolean {
  if (!script.forgets || reason !== 'not_found' || attempts.at(-1) !== reference) return false;
  return !answers.some(
    ({ attempt, kind, before }) => attempt === attempts.length && kind === 'accepted' && before,
  );
}

/** Answers of providers are never lost. */
function evidenceDifferences(
  { status, reason, answers, attempts, ended_by }: StoredPurchase,
  isSettled: boolean,
): string[] {
  if (isSettled) return [];
  const wrong: string[] = [];
  // Every provider that had the order before has refused it, or was never reached.
  if (ended_by !== null && ended_by !== attempts.length)
    wrong.push(`${status} by an answer to order ${ended_by} of ${attempts.length}`);
  if (status !== 'failed') return wrong;
  const before = answers.filter((answer) => answer.before && answer.source !== 'operator');
  if (before.some(({ kind }) => kind === 'success'))
    wrong.push('failed after a provider said that it delivered');
  const last = Math.max(0, ...before.map(({ attempt }) => attempt));
  if (reason === 'not_found' && before.some(({ attempt, kind }) => attempt === last && kind === 'accepted')) {
    wrong.push('failed as never heard of after its provider had acknowledged it');
  }
  return wrong;
}

function unknownOrders({ book, purchases, merchantId }: Checked): string[] {
  const known = new Set(purchases.flatMap(({ attempts }) => attempts));
  return [...book.orders]
    .filter(({ purchase, reference }) => purchase.startsWith(`${merchantId}/`) && !known.has(reference))
    .map(({ purchase, provider }) => `${purchase}: ${provider} has an order that is on no record`);
}

/** A panel cannot distinguish orders of one number and amount, so at most one is unsettled. */
function alikeOrders({ book, purchases }: Checked): string[] {
  const open = purchases.flatMap(({ is_pending, attempts }) => {
    const order = is_pending ? book.find(attempts.at(-1) ?? '') : undefined;
    return order?.provider === panelName ? order : [];
  });
  const alike = Map.groupBy(open, ({ reference, amount }) => `${amount} for ${book.recipientOf(reference)}`);
  return [...alike].flatMap(([what, { length }]) =>
    length > 1 ? `${panelName} has ${length} unsettled orders of ${what}` : [],
  );
}

function toldDifferences({ told, purchases }: Checked): string[] {
  const wrong: string[] = [];
  const stored = new Map(purchases.map((purchase) => [purchase.reference, purchase]));
  for (const { reference, status, token } of told) {
    const now = stored.get(reference);
    if (token !== undefined && now?.token !== token)
      wrong.push(`${reference}: told the token ${token}, and it is ${now?.token ?? 'none'}`);
    if (status === 'success' || status === 'failed') {
      if (now?.status !== status)
        wrong.push(`${reference}: told ${status}, and it is ${now?.status ?? 'pending'}`);
    } else if (status === 'pending' && now === undefined) {
      wrong.push(`${reference}: told pending, and it is not on record`);
    }
  }
  for (const { reference, charge } of purchases) {
    const prices = told.flatMap((one) => (one.reference === reference ? (one.price ?? []) : []));
    if (!prices.includes(charge)) wrong.push(`${reference}: charged ${charge}, and its price was ${prices}`);
  }
  const everToldNothing = Map.groupBy(told, ({ reference }) => reference);
  for (const [reference, all] of everToldNothing) {
    if (stored.has(reference) && all.every(({ status }) => status === 'not stored')) {
      wrong.push(`${reference}: told that nothing was stored, and it is on record`);
    }
  }
  return wrong;
}
