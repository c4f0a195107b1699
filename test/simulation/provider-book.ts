/**
 * The scripted providers' own books: received orders, deliveries, and the answers given. The
 * gateway is compared with them, and they are never derived from the gateway.
 */
import type { CustomerAnswer, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { type CustomerWord, honest, type ProviderScript } from './provider-script.ts';
import type { SimulatedTime } from './simulated-time.ts';

/**
 * How long a provider may answer "not found" for an order that it has: a third of its grace, as
 * stated in src/purchases/state/purchase-policy.ts.
 */
const FORGETS_MS = 20_000;
const DAY_MS = 24 * 3_600_000;

/** An order that reached a provider. */
export type BookedOrder = {
  readonly reference: string;
  readonly provider: string;
  readonly purchase: string;
  readonly amount: bigint;
  /** The token that a prepaid meter's delivery brings. */
  readonly token: string | undefined;
  readonly script: ProviderScript;
  readonly arrivedAtMs: number;
  /** How often the same order arrived. */
  calls: number;
  state: 'taken' | 'delivered' | 'refused';
  questions: number;
  /** It reported the opposite of what it did, which no gateway can detect. */
  lied: boolean;
  takenBack: boolean;
  /** How many more callbacks it will send. */
  callsLeft: number;
};

type Purchase = { readonly name: string; readonly scripts: readonly ProviderScript[]; calls: number };

export class ProviderBook {
  /** False: providers answer every query truthfully at once. */
  faults = true;
  readonly #time: SimulatedTime;
  readonly #purchases = new Map<string, Purchase>();
  readonly #purchaseOf = new Map<string, string>();
  readonly #orders = new Map<string, BookedOrder>();
  readonly #recipients = new Map<string, string>();
  readonly #customers = new Map<string, CustomerWord[]>();
  #wrong: string[] = [];

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  /** How orders of a merchant's purchase are treated, one script for each order that is sent. */
  plan(purchase: string, name: string, scripts: readonly ProviderScript[]): void {
    if (!this.#purchases.has(purchase)) this.#purchases.set(purchase, { name, scripts, calls: 0 });
  }

  /** A gateway made this reference for that purchase. */
  name(reference: string, purchase: string): void {
    this.#purchaseOf.set(reference, purchase);
  }

  /** The answers about a customer, one for each query. */
  planCustomer(id: string, words: readonly CustomerWord[]): void {
    if (!this.#customers.has(id)) this.#customers.set(id, [...words]);
  }

  /** Undefined: the connector fails while it waits for the answer. */
  verify(id: string): CustomerAnswer | undefined {
    const word = (this.faults ? this.#customers.get(id)?.shift() : undefined) ?? 'known';
    switch (word) {
      case 'known':
        return { kind: 'verified', customer: { name: 'Ada' } };
      case 'unknown':
        return { kind: 'rejected', code: 'unknown', message: 'there is no such meter' };
      case 'no answer':
        return { kind: 'unavailable', code: 'time_out', message: 'no answer came' };
      case 'garbage':
        return undefined;
    }
  }

  /** How long the latest answer about an order takes to arrive. */
  delayMs(reference: string): number {
    const booked = this.#orders.get(reference);
    return this.faults ? 1_000 * (booked?.script.answersAfterS[booked.questions] ?? 0) : 0;
  }

  /** Whether it sends a callback about the order now, after it was called. */
  callsBack(reference: string): boolean {
    const booked = this.#orders.get(reference);
    if (booked === undefined || !this.faults || booked.state === 'taken') return false;
    if (booked.callsLeft === 0) return false;
    booked.callsLeft -= 1;
    return true;
  }

  find(reference: string): BookedOrder | undefined {
    return this.#orders.get(reference);
  }

  recipientOf(reference: string): string | undefined {
    return this.#recipients.get(reference);
  }

  get orders(): Iterable<BookedOrder> {
    return this.#orders.values();
  }

  /** Forbidden calls to a provider since the last check. */
  takeWrong(): readonly string[] {
    const wrong = this.#wrong;
    this.#wrong = [];
    return wrong;
  }

  /** An order arrives. Undefined: the connector fails while it waits for the answer. */
  receive(provider: string, order: ProviderOrder): ProviderAnswer | undefined {
    const { reference, amount, product } = order;
    const known = this.#orders.get(reference);
    const key = this.#purchaseOf.get(reference) ?? '';
    const purchase = this.#purchases.get(key);
    if (known !== undefined) {
      known.calls += 1;
      this.#wrong.push(`${provider} got the same order for ${purchase?.name} twice`);
      return silence;
    }
    const script = this.#next(purchase);
    const { reception } = script;
    if (reception === 'is never reached') return silence;
    if (reception === 'cannot be called')
      return { kind: 'not_sent', code: 'refused', message: 'no connection' };
    const token = product === 'ELECTRICITY' ? `${this.#orders.size}`.padStart(20, '5') : undefined;
    const booked: BookedOrder = {
      token,
      reference,
      provider,
      amount,
      script,
      purchase: key,
      arrivedAtMs: this.#time.elapsedMs,
      calls: 1,
      state: 'taken',
      questions: 0,
      lied: false,
      takenBack: false,
      callsLeft: script.callsBack,
    };
    this.#orders.set(reference, booked);
    this.#recipients.set(reference, order.recipient);
    switch (reception) {
      case 'delivers':
        booked.state = 'delivered';
        return this.#success(booked);
      case 'delivers in silence':
        booked.state = 'delivered';
        return silence;
      case 'delivers and answers garbage':
        booked.state = 'delivered';
        return undefined;
      case 'delivers something else':
        booked.state = 'delivered';
        return otherThanOrdered;
      case 'takes it and delivers later':
      case 'takes it and refuses later':
        return works;
      case 'takes it in silence and delivers later':
      case 'takes it in silence and refuses later':
        return silence;
      case 'refuses':
        booked.state = 'refused';
        return refusal(script.faults[0]);
    }
  }

  /** Orders that the provider accepted long ago are delivered or refused without a query. */
  settleOld(provider: string, ageMs: number): void {
    for (const booked of this.#orders.values()) {
      const isOld = !this.faults || this.#time.elapsedMs - booked.arrivedAtMs >= ageMs;
      if (booked.provider === provider && isOld) settle(booked);
    }
  }

  /** A query arrives. Undefined: the connector fails while it waits for the answer. */
  answer(reference: string): ProviderAnswer | undefined {
    const booked = this.#orders.get(reference);
    if (booked === undefined) return neverHeard;
    booked.questions += 1;
    if (booked.questions > booked.script.worksFor || !this.faults) settle(booked);
    const lie = this.faults ? booked.script.lies[booked.questions - 1] : undefined;
    const ageMs = this.#time.elapsedMs - booked.arrivedAtMs;
    switch (lie) {
      case 'silence':
        return silence;
      case 'garbage':
        return undefined;
      case 'works on it':
        return works;
      case 'never heard of it':
        return ageMs < FORGETS_MS ? neverHeard : this.#truth(booked);
      case 'the opposite':
        if (booked.state === 'taken') return works;
        booked.lied = true;
        return booked.state === 'delivered' ? refusal('order') : this.#success(booked);
      case undefined:
        break;
    }
    if (booked.script.forgets) return neverHeard;
    if (booked.script.takesBack && booked.state === 'delivered' && ageMs > DAY_MS) {
      booked.takenBack = true;
      return refusal('order');
    }
    return this.#truth(booked);
  }

  #truth(booked: BookedOrder): ProviderAnswer {
    if (booked.state === 'taken') return works;
    const { faults } = booked.script;
    if (booked.state === 'refused') return refusal(faults[booked.questions] ?? faults[0]);
    return booked.script.reception === 'delivers something else' ? otherThanOrdered : this.#success(booked);
  }

  #success({ amount, token, questions, script }: BookedOrder): ProviderAnswer {
    const comes = token !== undefined && (questions >= script.owesFor || !this.faults);
    return {
      kind: 'success',
      code: 'delivered',
      message: 'it delivered',
      cost: (amount * 97n) / 100n,
      ...(comes && { goods: { token } }),
    };
  }

  #next(purchase: Purchase | undefined): ProviderScript {
    if (purchase === undefined || !this.faults) return honest;
    const script = purchase.scripts[Math.min(purchase.calls, purchase.scripts.length - 1)];
    purchase.calls += 1;
    return script ?? honest;
  }
}

function settle(booked: BookedOrder): void {
  if (booked.state !== 'taken') return;
  const { reception } = booked.script;
  booked.state = reception.endsWith('refuses later') ? 'refused' : 'delivered';
}

const silence: ProviderAnswer = { kind: 'unknown', code: 'time_out', message: 'no answer came' };
const works: ProviderAnswer = { kind: 'accepted', code: 'processing', message: 'it works on it' };
const neverHeard: ProviderAnswer = { kind: 'not_found', code: 'not_found', message: 'never heard of it' };
const otherThanOrdered: ProviderAnswer = {
  kind: 'unknown',
  code: 'other_amount',
  message: 'it delivered another amount',
  delivered: true,
};

function refusal(fault: 'order' | 'provider'): ProviderAnswer {
  return { kind: 'failed', code: `refused_${fault}`, message: 'it refused', fault };
}
