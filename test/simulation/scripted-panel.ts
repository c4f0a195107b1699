/**
 * A panel with false answers, as one simulated process calls it. It ignores the caller's reference,
 * calls refused airtime successful for a while, answers a delivered order as a repeat, writes
 * records late or never, and reports a balance.
 */
import type { CallResult, UpstreamRequest } from '../../src/providers/http/call.ts';
import type { Provider, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { connectPanel, lost, type Outside, presetOf, reply } from './panel-calls.ts';
import type { BookedOrder, ProviderBook } from './provider-book.ts';
import type { SimulatedTime } from './simulated-time.ts';

export const panelName = 'east';

const mapping = presetOf('msorg', { GLO: '2' });

/** Until then it reports the network's refusals as successes. A success is confirmed later. */
const LIES_FOR_MS = 300_000;
/** A record whose call was lost is written this late. */
const WRITES_AFTER_MS = 60_000;
/** The age of an order by the database differs by at most this, unless its clock was set. */
const CLOCK_MS = 30_000;
const CONFIRM_MS = 1_000 * (mapping.orders.airtime?.trust?.confirm_after_s ?? 0);
const FLOAT_KOBO = 100_000_000_00n;

export function scriptedPanel(process: string, outside: Outside): Provider {
  return connectPanel(panelName, mapping, process, outside, new Panel(outside.book, outside.time));
}

class Panel {
  readonly #book: ProviderBook;
  readonly #time: SimulatedTime;

  constructor(book: ProviderBook, time: SimulatedTime) {
    this.#book = book;
    this.#time = time;
  }

  take({ operation, path }: UpstreamRequest, order: ProviderOrder | undefined): CallResult {
    if (operation === 'balance')
      return reply(200, { user: { Account_Balance: Number(this.#float()) / 100 } });
    if (order === undefined) return reply(404, { detail: 'Not found.' });
    if (operation === 'purchase') return this.#receive(order);
    const answer = this.#book.answer(order.reference);
    if (answer === undefined) return page;
    if (answer.kind === 'unknown' && !answer.delivered) return lost;
    const own = this.#book.find(order.reference);
    const isShown = answer.kind !== 'not_found' && own !== undefined && this.#isWritten(own);
    const told = isShown ? this.#told(own, answer, order) : undefined;
    const [, id] = /^\/api\/topup\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      return told === undefined ? reply(404, { detail: 'Not found.' }) : reply(200, told);
    }
    const others = this.#orders().filter((one) => one !== own && this.#isWritten(one) && !one.script.forgets);
    const rows = [...others.map((one) => this.#told(one, undefined, undefined)), ...(told ? [told] : [])];
    return reply(200, { results: rows.toSorted((one, other) => other.id - one.id) });
  }

  #receive(order: ProviderOrder): CallResult {
    const answer = this.#book.receive(panelName, order);
    const booked = this.#book.find(order.reference);
    if (answer?.kind === 'not_sent') return { kind: 'not_sent', reason: answer.message };
    // The line of the panel sent the order twice, and the second one is answered.
    if (answer === undefined) return reply(400, { error: ['Transaction already exist'] });
    if (booked === undefined || (answer.kind === 'unknown' && !answer.delivered)) return lost;
    if (answer.kind === 'failed' && answer.fault === 'provider') {
      return reply(400, { error: ["You can't topup due to insufficient balance"] });
    }
    return reply(201, this.#told(booked, answer, order));
  }

  /** A record as the panel returns it. Without `answer` it returns the record of its books. */
  #told(booked: BookedOrder, answer: ProviderAnswer | undefined, order: ProviderOrder | undefined) {
    const { amount, arrivedAtMs, reference, script, state } = booked;
    const ageMs = this.#time.elapsedMs - arrivedAtMs;
    const isLie = state === 'refused' && ageMs < LIES_FOR_MS && this.#book.faults;
    // The gateway considers the order older than it is, and trusts an early answer.
    const sentMs = order?.sentMs ?? 0;
    if (isLie && sentMs >= CONFIRM_MS && sentMs > ageMs + CLOCK_MS) booked.lied = true;
    const kind =
      answer?.kind ?? (state === 'delivered' ? 'success' : state === 'refused' ? 'failed' : 'accepted');
    const sold = script.reception === 'delivers something else' ? amount + 100n : amount;
    return {
      id: this.#orders().findIndex((one) => one.reference === reference) + 1,
      mobile_number: this.#book.recipientOf(reference),
      amount: Number(sold) / 100,
      paid_amount: Number(amount) / 100 - 1e-9,
      balance_before: Number(this.#float() + amount) / 100,
      balance_after: Number(this.#float()) / 100,
      Status: isLie
        ? 'successful'
        : kind === 'failed'
          ? 'failed'
          : kind === 'accepted'
            ? 'processing'
            : 'successful',
      create_date: new Date(this.#time.nowMs - ageMs).toISOString(),
    };
  }

  #orders(): BookedOrder[] {
    return [...this.#book.orders].filter(({ provider }) => provider === panelName);
  }

  /** It writes a record after its call to the network, and none for its own refusals. */
  #isWritten({ script, state, arrivedAtMs }: BookedOrder): boolean {
    if (state === 'refused' && script.faults[0] === 'provider') return false;
    const isLate = script.reception.includes('silence') || script.reception.includes('garbage');
    return !isLate || !this.#book.faults || this.#time.elapsedMs - arrivedAtMs >= WRITES_AFTER_MS;
  }

  #float(): bigint {
    const spent = this.#orders().filter(({ state }) => state !== 'refused');
    return spent.reduce((left, { amount }) => left - amount, FLOAT_KOBO);
  }
}

const page: CallResult = { kind: 'lost', reason: 'HTTP 200 with a body that is not JSON', status: 200 };
