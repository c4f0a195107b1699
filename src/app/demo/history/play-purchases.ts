/**
 * Purchases of the played week, on the gateway's own path: accepted, attempted, resolved, sent to
 * the next provider, asked about. Only what the providers answer is made up.
 */
import type { KeyObject } from 'node:crypto';
import type { Tx } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type IdSource, idsAt } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Sealer } from '../../../kernel/sealing.ts';
import type { Seeded } from '../../../kernel/seeded.ts';
import type { Guards } from '../../../margins/guards.ts';
import type { DeliveryWork } from '../../../messages/deliver-orders.ts';
import { sealDestination } from '../../../messages/destination.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { AcceptItem, AcceptVerdict } from '../../../vending/path/accept-store.ts';
import { acceptVend } from '../../../vending/path/accept-vend.ts';
import { claimLaneVends } from '../../../vending/path/claim-store.ts';
import { takeVends } from '../../../vending/path/claim-vends.ts';
import { commitVends } from '../../../vending/path/commit-store.ts';
import type {
  AnswerSource,
  ResolveEffect,
  ResolveItem,
  ResolveVerdict,
} from '../../../vending/path/resolve-store.ts';
import { type Resolver, resolveVend } from '../../../vending/path/resolve-vend.ts';
import { takeInHand } from '../../../vending/purchases/run-vend.ts';
import type { VendInHand } from '../../../vending/vend/vend-in-hand.ts';
import type { Fate } from './answers.ts';
import type { Sale } from './draw-sale.ts';
import { Gathered } from './gathered.ts';
import type { WeekBank } from './money-of-week.ts';
import { weekDeliveries } from './play-deliveries.ts';
import { within } from './within.ts';

export type WeekParts = {
  readonly tx: Tx;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly guards: Guards;
  /** What our floats are at the beginning and at the end, in kobo. */
  readonly balances: ReadonlyMap<string, bigint>;
  readonly bank: WeekBank;
  readonly sealer: Sealer;
  readonly pepper: KeyObject;
  readonly seeded: Seeded;
  readonly log: Logger;
};

/** A purchase that was delivered, as a refund needs it. */
export type Delivered = Pick<VendInHand, 'merchantId' | 'environment' | 'vendId'> & {
  readonly reference: string;
  readonly provider: string;
};

/** The time that is played, for what is no SQL. */
export class WeekClock implements Clock {
  at = new Date(0);

  now(): Date {
    return this.at;
  }

  elapsedMs(): number {
    return this.at.getTime();
  }
}

const CLAIM_MAX = 200;
const LEASE_MS = 60_000;
/** Before this age a delivery without its goods is asked about for its caller. */
const LATE_GOODS_MS = 50_000;
const UNSENT_MS = { sync: 50_000, async: 900_000, order: 50_000 };

export class WeekPurchases {
  readonly delivered: Delivered[] = [];
  readonly newId: IdSource;
  readonly houseAccounts: Resolver['houseAccounts'];
  readonly #parts: WeekParts;
  readonly #clock: WeekClock;
  readonly #setTime: (at: Date) => Promise<void>;
  readonly #owner: string;
  readonly #resolver: Resolver;
  readonly #deliveries: DeliveryWork;
  readonly #accepts = new Gathered<AcceptItem, AcceptVerdict>();
  readonly #resolves: Gathered<ResolveItem, ResolveVerdict>;
  readonly #fates = new Map<string, { readonly fate: Fate; readonly reference: string; told: number }>();
  /** What waits, by the purchase: for whom. */
  readonly #toSend = new Map<string, string>();
  readonly #toAsk = new Map<string, string>();
  #owed: VendInHand[] = [];
  #spent = new Map<string, bigint>();

  constructor(
    parts: WeekParts,
    clock: WeekClock,
    setTime: (at: Date) => Promise<void>,
    houseAccounts: Resolver['houseAccounts'],
  ) {
    this.#parts = parts;
    this.houseAccounts = houseAccounts;
    this.#clock = clock;
    this.#setTime = setTime;
    this.newId = idsAt(() => clock.at.getTime());
    this.#owner = this.newId();
    this.#resolves = new Gathered();
    this.#deliveries = weekDeliveries(parts, clock, within(parts.tx));
    this.#resolver = {
      providers: parts.providers,
      guards: parts.guards,
      sealer: parts.sealer,
      log: parts.log,
      clock,
      houseAccounts,
      fence: { isUp: () => false, isBefore: () => false },
      lateGoodsMs: LATE_GOODS_MS,
      unsentMs: UNSENT_MS,
      resolve: (item) => this.#resolves.add(item),
      onFinal: (vend, effect) => this.#settle(vend, effect),
      onContradiction: () => undefined,
    };
  }

  /** They come within some seconds of `at`, each with what its providers will answer. */
  async sell(at: Date, sales: readonly (Sale & { readonly fate: Fate })[]): Promise<void> {
    const { tx, providers, sealer, seeded } = this.#parts;
    const acceptor = {
      providers,
      clock: this.#clock,
      newId: this.newId,
      accept: (item: AcceptItem) => this.#accepts.add(item),
    };
    const accepting = sales.map(({ judged, mode, refusal, destination }) => {
      this.#clock.at = new Date(at.getTime() - seeded.whole(0, 3_500));
      return acceptVend(
        acceptor,
        judged,
        mode,
        refusal,
        (vendId) =>
          destination && sealDestination(destination, vendId, (place, plain) => sealer.seal(place, plain)),
      );
    });
    await this.#goTo(at);
    await this.#accepts.flush(
      async (accepts) => (await commitVends(tx, { accepts, resolves: [] }, this.#owner)).accepts,
    );
    const accepted = await Promise.all(accepting);
    const vends = accepted.flatMap(({ item, outcome }, index): VendInHand[] => {
      const fate = sales[index]?.fate;
      if (outcome !== 'funded' || fate === undefined) return [];
      this.#fates.set(item.id, { fate, reference: item.reference, told: 0 });
      if (item.mode !== 'async') return [takeInHand(item, item.createdAt.getTime())];
      this.#toSend.set(item.id, item.route[0] ?? '');
      return [];
    });
    await this.#goTo(new Date(at.getTime() + 700));
    await this.#tell(vends, 'vend');
    await this.#sendOn();
    if (!sales.some((sale) => sale.destination !== undefined)) return;
    await this.#goTo(new Date(this.#clock.at.getTime() + 2_000));
    await this.#deliveries.run();
    await this.#deliveries.finish();
  }

  /** What is due is asked about, as a worker does. */
  async ask(at: Date): Promise<void> {
    await this.#goTo(at);
    const owed = this.#owed;
    this.#owed = [];
    if (owed.length > 0) await this.#tell(owed, 'query');
    const taken = await this.#take('query', this.#toAsk);
    if (taken.length === 0) return;
    await this.#goTo(new Date(at.getTime() + 900));
    await this.#tell(taken, 'query');
    await this.#sendOn();
  }

  /** A provider gave so much back. */
  takeBack(provider: string, amount: bigint): void {
    this.#spent.set(provider, (this.#spent.get(provider) ?? 0n) - amount);
  }

  /** What each provider has taken since the last call. */
  takeSpent(): ReadonlyMap<string, bigint> {
    const spent = this.#spent;
    this.#spent = new Map();
    return spent;
  }

  /** What waits to be sent is, until nothing is left. */
  async #sendOn(): Promise<void> {
    while (this.#toSend.size > 0) {
      await this.#goTo(new Date(this.#clock.at.getTime() + 300));
      const taken = await this.#take('send', this.#toSend);
      if (taken.length === 0) return;
      await this.#goTo(new Date(this.#clock.at.getTime() + 1_100));
      await this.#tell(taken, 'vend');
    }
  }

  async #take(step: 'send' | 'query', waiting: Map<string, string>): Promise<VendInHand[]> {
    const { tx, providers, log } = this.#parts;
    const found: VendInHand[] = [];
    for (const provider of new Set(waiting.values())) {
      const claim = { provider, step, limit: CLAIM_MAX, after: -1, leaseMs: LEASE_MS };
      const taken = await takeVends(
        { database: within(tx), providers, clock: this.#clock, databaseClock: { correct: (ms) => ms }, log },
        (inner) => claimLaneVends(inner, this.#owner, claim),
        () => true,
      );
      for (const { vend } of taken) {
        waiting.delete(vend.vendId);
        found.push(vend);
      }
    }
    return found;
  }

  /** The answers of their providers, and all that follows from them. */
  async #tell(vends: readonly VendInHand[], source: AnswerSource): Promise<void> {
    const { tx, seeded } = this.#parts;
    if (vends.length === 0) return;
    const resolving = vends.map(async (vend) => {
      const known = this.#fates.get(vend.vendId);
      const answer = known?.fate[Math.min(known.told, known.fate.length - 1)];
      if (known === undefined || answer === undefined) throw new Error('a played purchase has its fate');
      known.told += 1;
      const askedAtMs = this.#clock.elapsedMs();
      const latencyMs = Math.max(90, askedAtMs - vend.takenAtMs - seeded.whole(20, 60));
      return await resolveVend(this.#resolver, vend, source, {
        answer: answer(vend, seeded),
        askedAtMs,
        latencyMs,
      });
    });
    await this.#resolves.flush(
      async (resolves) => (await commitVends(tx, { accepts: [], resolves }, this.#owner)).resolves,
    );
    for (const [index, { effect }] of (await Promise.all(resolving)).entries()) {
      const vend = vends[index];
      if (vend === undefined) continue;
      if (effect.kind === 'retry') this.#toSend.set(vend.vendId, effect.provider);
      if (effect.kind === 'wait') this.#toAsk.set(vend.vendId, vend.attempt.provider);
      if (effect.kind === 'succeed' && effect.goodsDueMs !== undefined) this.#owe(vend);
    }
  }

  /** Its goods are asked for, where they will come. */
  #owe(vend: VendInHand): void {
    if ((this.#fates.get(vend.vendId)?.fate.length ?? 0) > 1) this.#owed.push({ ...vend, final: true });
  }

  #settle({ merchantId, environment, vendId, attempt }: VendInHand, effect: ResolveEffect): void {
    const reference = this.#fates.get(vendId)?.reference;
    if (effect.kind !== 'succeed' || reference === undefined) return;
    this.delivered.push({ merchantId, environment, vendId, reference, provider: attempt.provider });
    this.takeBack(attempt.provider, -effect.cost);
  }

  async #goTo(at: Date): Promise<void> {
    this.#clock.at = at;
    await this.#setTime(at);
  }
}
