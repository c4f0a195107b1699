/**
 * A day of purchases with everything that a day has: failures, refusals, purchases that stay
 * pending for a while or over midnight, sales at a loss, refunds to merchants and from providers,
 * deposits. Made by the gateway's own functions, on a clock that is played. The same seed makes the
 * same day.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { nextDay, parseDay } from '../../src/core/clock.ts';
import { idsAt, newId } from '../../src/core/ids.ts';
import { applyDiscount } from '../../src/core/money.ts';
import type { Database } from '../../src/db/database.ts';
import { creditDeposit, depositAccounts } from '../../src/funding/credit-deposit.ts';
import { markActive, markRequested } from '../../src/funding/funding-account-store.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';
import { commitPurchases } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveEffect, ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { postRefund } from '../../src/purchases/refunds/post-refund.ts';
import type { RefundKind } from '../../src/purchases/refunds/refund-store.ts';
import { ensureAccount } from '../../src/wallet/ledger/account-store.ts';
import {
  floatAccount,
  purchaseDelivered,
  revenueAccount,
} from '../../src/wallet/ledger/chart-of-accounts.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { aSale } from './a-sale.ts';
import { type PlayedClock, playClock } from './played-clock.ts';
import { createSeeded } from './seeded.ts';

const BATCH_MAX = 200;
const owner = newId();
const bank = { name: 'monnify', environment: 'live' } as const;

/** The commission of its provider on the face value, in basis points. */
const commissions: Readonly<Record<string, number>> = { vtpass: 300, nomba: 350, reloadly: 250 };
/** With the kind, if it is not the usual one. */
const products = [
  ['airtime', 'MTN', undefined],
  ['airtime', 'GLO', 'share_and_sell'],
  ['airtime', 'AIRTEL', undefined],
  ['data', 'MTN', 'sme'],
  ['data', '9MOBILE', 'corporate_gifting'],
] as const;
const faceValues = [50_00n, 100_00n, 200_00n, 500_00n, 1_000_00n, 1_999_99n];

type Seller = {
  readonly merchantId: number;
  readonly code: string;
  readonly walletId: bigint;
  readonly credentialId: string;
  /** In basis points. */
  readonly discount: number;
};

type Bought = {
  readonly item: AcceptItem;
  readonly seller: Seller;
  readonly provider: string;
  readonly cost: bigint;
};

type Planned = { readonly bought: Bought; readonly how: 'success' | 'failed'; readonly source: 'query' };

export type PlayedDay = {
  /** Such as 2026-11-21. */
  readonly day: string;
  readonly merchants: readonly string[];
  /**
   * Simulates the time after midnight: refunds, and the outcomes of all pending purchases except
   * one.
   */
  readonly playNextMorning: () => Promise<void>;
};

export type PlayedDayOptions = {
  readonly day: string;
  readonly purchases: number;
  readonly seed?: number;
  /** The prefix of its merchants' codes. Each day has its own merchants. */
  readonly shops?: string;
};

/** `day` is over, in Lagos. */
export async function playDay(
  database: Database,
  { day, purchases, seed = 1, shops = 'DAY' }: PlayedDayOptions,
): Promise<PlayedDay> {
  const begin = parseDay(day);
  if (begin === undefined) throw new Error(`${day} is a day`);
  const clock = await playClock(database);
  const played = new Play(database, clock, begin, { seed, shops });
  try {
    await played.open();
    await played.sell(purchases);
  } finally {
    await clock.stop();
  }
  return {
    day,
    merchants: played.sellers.map(({ code }) => code),
    playNextMorning: () => played.goOn(),
  };
}

class Play {
  readonly sellers: Seller[] = [];
  readonly #database: Database;
  readonly #begin: Date;
  readonly #shops: string;
  readonly #random: () => number;
  readonly #floats = new Map<string, bigint>();
  readonly #pending = new Map<number, Planned[]>();
  #clock: PlayedClock;
  #revenueId = 0n;
  #delivered: Bought[] = [];
  #overnight: Bought[] = [];

  constructor(
    database: Database,
    clock: PlayedClock,
    begin: Date,
    { seed, shops }: Required<Pick<PlayedDayOptions, 'seed' | 'shops'>>,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#begin = begin;
    this.#shops = shops;
    this.#random = createSeeded(seed).draw;
  }

  /** The evening before: merchants with money, and bank accounts for deposits. */
  async open(): Promise<void> {
    await this.#clock.set(new Date(this.#begin.getTime() - 3 * HOUR_MS));
    this.#revenueId = await ensureAccount(this.#database, revenueAccount('live', 'NGN'));
    for (const provider of Object.keys(commissions)) {
      this.#floats.set(provider, await ensureAccount(this.#database, floatAccount(provider, 'live', 'NGN')));
    }
    for (const [index, balance] of [400_000_000_00n, 50_000_000_00n, 50_000_000_00n, 0n].entries())
      this.sellers.push(await this.#openSeller(`${this.#shops}-${index + 1}`, balance, index * 100));
  }

  async #openSeller(code: string, balance: bigint, discount: number): Promise<Seller> {
    return await this.#database.transaction(async (tx) => {
      const { id: merchantId } = await createMerchant(tx, { code, name: `Shop ${code}` }, 'day');
      const corrected = { merchantCode: code, environment: 'live', currency: 'NGN' } as const;
      if (balance > 0n) await creditWallet(tx, { ...corrected, amount: balance, memo: 'opening' }, 'day');
      const pepper = createSecretKey(randomBytes(32));
      const { credential } = await issueCredential(
        tx,
        pepper,
        { merchantCode: code, environment: 'live' },
        'day',
      );
      const wallet = (await listWallets(tx, merchantId)).find(({ environment }) => environment === 'live');
      if (wallet === undefined) throw new Error('a merchant has a live wallet');
      const walletId = wallet.account_id;
      const key = { merchantId, environment: 'live', currency: 'NGN' } as const;
      const asked = { provider: bank.name, reference: `oja-${code}` };
      await markRequested(tx, key, { ...asked, walletId, customerHash: undefined });
      await markActive(tx, key, asked, { number: `60000000${merchantId}`, name: code, bankName: 'Bank' });
      return { merchantId, code, walletId, credentialId: credential.key_id, discount };
    });
  }

  async sell(purchases: number): Promise<void> {
    const inBatch = Math.min(BATCH_MAX, Math.ceil(purchases / 10));
    const batches = Math.ceil(purchases / inBatch);
    for (let index = 0; index < batches; index += 1) {
      // From midnight to shortly before the next midnight.
      const at = new Date(this.#begin.getTime() + 10_000 + Math.floor((index * (DAY_MS - 60_000)) / batches));
      const size = Math.min(inBatch, purchases - index * inBatch);
      await this.#sellBatch(at, size, index, batches);
      await this.#refund(at, Math.ceil(size / 100));
      await this.#deposit(at, index);
    }
    await this.#clock.set(new Date(this.#begin.getTime() + DAY_MS - 20_000));
    for (const [index, planned] of this.#pending) {
      if (index >= batches) this.#overnight.push(...planned.map(({ bought }) => bought));
    }
  }

  async #sellBatch(at: Date, size: number, index: number, batches: number): Promise<void> {
    const answeredAt = new Date(at.getTime() + 5_000);
    const bought = Array.from({ length: size }, () => this.#order(answeredAt));
    await this.#clock.set(at);
    const { accepts } = await commitPurchases(
      this.#database,
      { accepts: bought.map(({ item }) => item), resolves: [] },
      owner,
    );
    const held = bought.filter((_, place) => accepts[place]?.kind === 'accepted');
    await this.#clock.set(answeredAt);
    const resolves = held.map((one) => this.#answer(one, index, batches));
    const due = (this.#pending.get(index) ?? []).map(({ bought: one, how }) => this.#say(one, how, 'query'));
    await commitPurchases(this.#database, { accepts: [], resolves: [...resolves, ...due] }, owner);
  }

  #order(answeredAt: Date): Bought {
    const share = this.#random();
    const seller = this.sellers[share < 0.7 ? 0 : share < 0.85 ? 1 : share < 0.995 ? 2 : 3];
    const [product, network, kind] = this.#pick(products);
    const provider = this.#pick(Object.keys(commissions));
    if (seller === undefined) throw new Error('there are four merchants');
    const faceValue = this.#pick(faceValues);
    const createdAt = new Date(answeredAt.getTime() - this.#latency());
    const id = idsAt(() => createdAt.getTime())();
    const recipient = `23480${String(Math.floor(this.#random() * 1e8)).padStart(8, '0')}`;
    const sale = aSale({
      id,
      environment: 'live',
      reference: `day-${id}`,
      product,
      network,
      recipient,
      faceValue,
      createdAt,
      seller,
      provider,
    });
    const item: AcceptItem = { ...sale, details: kind && { kind } };
    // Occasionally the provider charges more than the merchant pays.
    const isDear = this.#random() < 0.02;
    const cost = isDear ? faceValue + 1_50n : applyDiscount(faceValue, commissions[provider] ?? 0);
    return { item, seller, provider, cost };
  }

  #answer(bought: Bought, index: number, batches: number): ResolveItem {
    const share = this.#random();
    if (share < 0.935) {
      this.#delivered.push(bought);
      return this.#say(bought, 'success', 'purchase');
    }
    if (share < 0.975) return this.#say(bought, 'failed', 'purchase');
    // Unknown for now. It is known some batches later, or after midnight.
    const later = index + 1 + Math.floor(this.#random() * Math.min(20, batches));
    const planned = { bought, how: share < 0.99 ? 'success' : 'failed', source: 'query' } as const;
    this.#pending.set(later, [...(this.#pending.get(later) ?? []), planned]);
    return this.#say(bought, 'unknown', 'purchase');
  }

  #say(bought: Bought, how: 'success' | 'failed' | 'unknown', source: ResolveItem['source']): ResolveItem {
    const { item, seller, provider } = bought;
    return {
      merchantId: seller.merchantId,
      environment: 'live',
      purchaseId: item.id,
      walletId: seller.walletId,
      network: item.network,
      attempt: 1,
      source,
      answer: {
        kind: how,
        code: how,
        message: `it said ${how}`,
        provider,
        providerId: `${provider}-${item.id.slice(-12)}`,
        latencyMs: this.#latency(),
      },
      effect: this.#effect(bought, how),
    };
  }

  #effect({ item, seller, provider, cost }: Bought, how: string): ResolveEffect {
    if (how === 'failed') return { kind: 'fail', reason: 'refused', telcoMessage: undefined };
    if (how === 'unknown') return { kind: 'wait', dueMs: 5_000, flag: false };
    return {
      kind: 'succeed',
      telcoMessage: undefined,
      cost,
      goods: undefined,
      goodsDueMs: undefined,
      costEstimated: this.#random() < 0.05,
      transfers: purchaseDelivered({
        walletAccount: seller.walletId,
        floatAccount: this.#floats.get(provider) ?? 0n,
        revenueAccount: this.#revenueId,
        charge: item.charge,
        cost,
      }),
    };
  }

  async #refund(at: Date, count: number): Promise<void> {
    await this.#clock.set(new Date(at.getTime() + 8_000));
    for (let index = 0; index < count; index += 1) {
      const place = Math.floor(this.#random() * this.#delivered.length);
      const [bought] = this.#delivered.splice(place, 1);
      if (bought === undefined) return;
      await this.#giveBack(bought, 'merchant');
      if (this.#random() < 0.7) await this.#giveBack(bought, 'provider');
    }
  }

  async #giveBack({ item, cost }: Bought, kind: RefundKind): Promise<void> {
    const whole = kind === 'merchant' ? item.charge : cost;
    const purchase = {
      merchantId: item.merchantId,
      environment: 'live',
      purchaseId: item.id,
      reference: item.reference,
    } as const;
    const amount = this.#random() < 0.3 ? whole / 3n : whole;
    await this.#database.transaction((tx) =>
      postRefund(tx, { purchase, kind, amount, reason: 'it never came' }, 'day'),
    );
  }

  /** To each merchant in turn. Every seventh has no merchant. */
  async #deposit(at: Date, index: number): Promise<void> {
    const seller = this.sellers[index % this.sellers.length];
    const payment = {
      reference: `paid-${this.#begin.getTime()}-${index}`,
      paidTo: { kind: 'reference', value: index % 7 === 6 ? 'nobody' : `oja-${seller?.code}` },
      amount: 1_000_00n + BigInt(Math.floor(this.#random() * 50_000_00)),
      currency: 'NGN',
      paidAt: at,
    } as const;
    const accounts = await depositAccounts(createHouseAccounts(this.#database), bank, payment);
    await this.#database.transaction((tx) => creditDeposit(tx, bank, payment, accounts));
  }

  async goOn(): Promise<void> {
    this.#clock = await playClock(this.#database);
    try {
      await this.#clock.set(new Date(nextDay(this.#begin).getTime() + 20 * 60_000));
      const known = this.#overnight.slice(1);
      const resolves = known.map((bought, index) =>
        this.#say(bought, index % 2 === 0 ? 'success' : 'failed', 'query'),
      );
      if (resolves.length > 0) await commitPurchases(this.#database, { accepts: [], resolves }, owner);
      await this.#refund(nextDay(this.#begin), 3);
    } finally {
      await this.#clock.stop();
    }
  }

  #latency(): number {
    const share = this.#random();
    return Math.floor(share < 0.9 ? 80 + this.#random() * 900 : 1_000 + this.#random() * 8_000);
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.#random() * list.length)];
    if (picked === undefined) throw new Error('the list is not empty');
    return picked;
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
