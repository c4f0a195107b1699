/**
 * Our balance at a provider as evidence about orders that the provider cannot be queried about
 * (`balanceProves` of src/providers/provider.ts).
 *
 * Guarantees: a conclusion is stored before it decides. If the process dies in between, the stored
 * conclusion decides the purchase. No provider is called here.
 */
import type { Clock } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Provider, ProviderAnswer } from '../../providers/provider.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import { listBeside } from './beside-store.ts';
import { findVerdict, type StoredVerdict, storeVerdict } from './evidence-store.ts';
import { type BalanceVerdict, CROWD, isCrowded, judgeBalance } from './explain-balance.ts';
import { findOpenOrder } from './open-order-store.ts';
import { insertTold, listReadings, orderName, type ToldBalance } from './reading-store.ts';

export type BalanceEvidence = {
  /** Stores the balances in the reply to an order. */
  note(
    purchase: PurchaseInHand,
    provider: Pick<Provider, 'name' | 'account'>,
    answer: ProviderAnswer,
    tookMs: number,
  ): Promise<void>;
  /** Concludes from the balance whether the current attempt was executed. */
  judge(purchase: PurchaseInHand): Promise<StoredVerdict>;
};

/** The code of answers that the balance gave. */
const BALANCE_CODE = 'our_balance';

/**
 * How long a debit must stand. If the provider has acknowledged the order, the debit only confirms
 * it.
 */
const STANDS_MS = 3_600_000;

export function balanceEvidence(sql: Sql, clock: Pick<Clock, 'elapsedMs'>): BalanceEvidence {
  const open = new OpenOrders(sql, clock);
  return {
    note: async (purchase, { name, account }, answer, tookMs) => {
      const told = toldBy(answer);
      if (told.length > 0) await insertTold(sql, purchase, { provider: name, account, tookMs }, told);
    },
    judge: async (purchase) => {
      const { startedMs, stored } = await findVerdict(sql, purchase);
      if (stored !== undefined && stored.verdict !== 'undecided') return stored;
      const verdict = await judgeNow(sql, open, purchase, startedMs);
      const isStored = verdict.arithmetic === undefined && verdict.why === stored?.why;
      if (!isStored) await storeVerdict(sql, purchase, verdict);
      return { ...verdict, cost: verdict.arithmetic?.cost ?? null };
    },
  };
}

async function judgeNow(
  sql: Sql,
  open: OpenOrders,
  purchase: PurchaseInHand,
  fromMs: number | null,
): Promise<BalanceVerdict> {
  const standsMs = purchase.evidence === 'acknowledged' ? 0 : STANDS_MS;
  // Most queries end here, without reading the other movements of the balance.
  if (purchase.attempt.ageMs < standsMs) return { verdict: 'undecided', why: 'no_reading_after' };
  if (fromMs === null) return { verdict: 'undecided', why: 'no_reading_before' };
  if (isCrowded({ fromMs, standsMs }, await open.crowdedFromMs(purchase.attempt.provider))) {
    return { verdict: 'undecided', why: 'too_many_orders' };
  }
  const readings = await listReadings(sql, purchase);
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return { verdict: 'undecided', why: 'no_reading_before' };
  const beside = await listBeside(sql, purchase, purchase.attempt.provider, {
    fromMs: first.askedAtMs,
    toMs: last.atMs,
  });
  if (beside === undefined) return { verdict: 'undecided', why: 'too_many_orders' };
  return judgeBalance({ ...beside.own, order: orderName(purchase), standsMs }, readings, beside.others);
}

/** After a success its cost is surely in the second balance. */
function toldBy({ kind, balance }: ProviderAnswer): readonly ToldBalance[] {
  const { before, after } = balance ?? {};
  return [
    ...(before === undefined ? [] : [{ amount: before, isAfter: false }]),
    ...(after === undefined ? [] : [{ amount: after, isAfter: kind === 'success' ? true : undefined }]),
  ];
}

/**
 * Decides an order by the balance if its provider cannot be queried about it and has not answered
 * yet. Pure.
 */
export function decideByBalance(
  proves: NonNullable<Provider['balanceProves']>,
  { evidence }: Pick<PurchaseInHand, 'evidence'>,
  answer: ProviderAnswer,
  found: StoredVerdict | undefined,
): ProviderAnswer {
  const isOpen = answer.kind === 'unknown' && answer.isUnqueryable && evidence === 'none';
  if (!isOpen || found === undefined) return answer;
  const { verdict, cost } = found;
  if (verdict === 'moved' && cost !== null) {
    const message = `our balance fell by ${formatAmount(cost)}, which only this order explains`;
    return { kind: 'success', code: BALANCE_CODE, message, cost };
  }
  if (verdict !== 'unmoved' || proves !== 'either') return answer;
  const message = 'our balance shows no debit of this order in the day after it';
  return { kind: 'failed', fault: 'order', code: BALANCE_CODE, message };
}

const KEEP_MS = 10_000;

type Reading = { readonly atMs: number; readonly crowdedFromMs: Promise<number | undefined> };

/**
 * The open orders of an account, read once for all its lookups. After an outage thousands are open
 * at once, no balance can tell them apart, and each comparison would read all of them.
 *
 * Guarantees: it only leaves orders undecided. A reading that lacks new orders, or contains orders
 * that have become final, delays a conclusion by its age at most.
 */
class OpenOrders {
  readonly #sql: Sql;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** The latest of each account. */
  readonly #readings = new Map<string, Reading>();

  constructor(sql: Sql, clock: Pick<Clock, 'elapsedMs'>) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** When the number of open orders reached a crowd. Undefined: there are fewer. */
  crowdedFromMs(provider: string): Promise<number | undefined> {
    const nowMs = this.#clock.elapsedMs();
    const latest = this.#readings.get(provider);
    if (latest !== undefined && nowMs - latest.atMs < KEEP_MS) return latest.crowdedFromMs;
    const reading = { atMs: nowMs, crowdedFromMs: findOpenOrder(this.#sql, provider, CROWD) };
    this.#readings.set(provider, reading);
    reading.crowdedFromMs.catch(() => {
      if (this.#readings.get(provider) === reading) this.#readings.delete(provider);
    });
    return reading.crowdedFromMs;
  }
}
