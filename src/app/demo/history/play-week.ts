/**
 * Plays a week of an installation up to the present: merchants, purchases of all products, money in
 * and out, what people did. The gateway's own functions write it, in one transaction whose time is
 * played. The same seed plays the same.
 */
import { type Catalog, loadCatalog } from '../../../catalog/catalog.ts';
import { playTime } from '../../../db/played-time-store.ts';
import { formatDay } from '../../../kernel/clock.ts';
import { MICRO, worthAtRate } from '../../../kernel/exchange.ts';
import type { Money } from '../../../kernel/money.ts';
import { loadGuards } from '../../../margins/guards.ts';
import type { Principal } from '../../../merchants/merchant.ts';
import { createPrincipalLoader } from '../../../merchants/principal-loader.ts';
import type { VendProduct } from '../../../products/product.ts';
import { loadRoutes } from '../../../routing/routes.ts';
import { drawFate, type Fate, fates } from './answers.ts';
import { drawSale, type Sale, type WeekJudge } from './draw-sale.ts';
import { receiveDeposit, refund, topUp } from './money-of-week.ts';
import { type OpenShop, openShops } from './open-shops.ts';
import { drawVoucherSale, seeAlarms, sellVouchers, watchFloat, withdrawPlan } from './people-at-work.ts';
import { goneMailbox } from './play-deliveries.ts';
import { WeekClock, type WeekParts, WeekPurchases } from './play-purchases.ts';
import { rushesOf } from './rhythm.ts';
import { weekAccounts } from './week-accounts.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Tables of processes that run or start, which keep the real time. */
const spared = [
  'schema_migrations',
  'schema_functions',
  'products',
  'gateways',
  'database_life',
  'database_beats',
];

type Act = { readonly at: Date; readonly run: (at: Date) => Promise<void> };

/** `begin` is the first moment of a Lagos day a week ago. */
export async function playWeek(
  parts: Omit<WeekParts, 'guards' | 'balances'> & { readonly held: HeldFloats },
  { begin, end }: { readonly begin: Date; readonly end: Date },
): Promise<void> {
  const { tx, providers } = parts;
  const time = await playTime(tx, spared);
  const clock = new WeekClock();
  const setTime = async (at: Date): Promise<void> => {
    clock.at = at;
    await time.set(at);
  };
  await setTime(new Date(begin.getTime() - 6 * HOUR_MS));
  const guards = await loadGuards(tx);
  const accounts = await weekAccounts(tx, [...providers.keys()]);
  const known = { ...parts, guards, balances: inNaira(parts.held, await loadCatalog(tx)) };
  const purchases = new WeekPurchases(known, clock, setTime, accounts);
  const week = new Week(known, purchases, { begin, end });
  await week.open(clock.at);
  const acts = week.acts().sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const { at, run } of acts) {
    if (at >= end) continue;
    await setTime(at);
    await run(at);
  }
  await setTime(end);
  await week.close(end);
  await time.stop();
}

/** What our float at a provider is, as it says; by the provider. */
export type HeldFloats = ReadonlyMap<string, Money>;

/** The books are in naira. */
function inNaira(held: HeldFloats, { fxRate }: Pick<Catalog, 'fxRate'>): ReadonlyMap<string, bigint> {
  const naira = new Map<string, bigint>();
  for (const [provider, { amount, currency }] of held) {
    const rate = currency === 'NGN' ? MICRO : fxRate(currency)?.rateMicro;
    if (rate !== undefined) naira.set(provider, worthAtRate(amount, rate));
  }
  return naira;
}

class Week {
  readonly #parts: WeekParts;
  readonly #purchases: WeekPurchases;
  readonly #begin: Date;
  readonly #end: Date;
  readonly #principals = new Map<string, Principal>();
  #open: OpenShop[] = [];
  #judge: WeekJudge | undefined;
  #count = 0;
  #vouchers: string[] = [];

  constructor(
    parts: WeekParts,
    purchases: WeekPurchases,
    { begin, end }: { readonly begin: Date; readonly end: Date },
  ) {
    this.#parts = parts;
    this.#purchases = purchases;
    this.#begin = begin;
    this.#end = end;
  }

  async open(at: Date): Promise<void> {
    const { tx, balances } = this.#parts;
    for (const [provider, amount] of balances) {
      await topUp(tx, provider, amount, at, 'carried over from the books before');
    }
    this.#open = await openShops(this.#parts, this.#purchases.newId);
    await this.#reload();
  }

  /** What was spent since is paid in again. */
  async close(at: Date): Promise<void> {
    await this.#topUp(at);
  }

  /** All that happens, in no order. */
  acts(): Act[] {
    const { seeded } = this.#parts;
    const acts: Act[] = [];
    for (let day = 0; day < 8; day += 1) {
      const midnight = new Date(this.#begin.getTime() + day * DAY_MS);
      for (const { at, purchases } of rushesOf(seeded, midnight, this.#end)) {
        acts.push({ at, run: () => this.#rush(at, purchases) });
      }
      acts.push(...this.#dayActs(day, (hours) => new Date(midnight.getTime() + hours * HOUR_MS)));
    }
    return [...acts, ...this.#lastActs()];
  }

  #dayActs(day: number, hour: (hours: number) => Date): Act[] {
    const { tx } = this.#parts;
    const acts: Act[] = [
      { at: hour(7.5), run: (at) => this.#deposits(day, at) },
      { at: hour(8.2), run: (at) => this.#topUp(at) },
      { at: hour(13.6), run: () => this.#refund(false) },
      { at: hour(17.4), run: () => this.#refund(true) },
      { at: hour(18.1), run: () => seeAlarms(tx, 'late_goods') },
    ];
    const once: Record<number, readonly Act[]> = {
      1: [{ at: hour(11.3), run: (at) => this.#unknownDeposit(at) }],
      2: [{ at: hour(12.1), run: () => this.#sellVouchers() }],
      3: [{ at: hour(16.7), run: (at) => this.#redeem(at) }],
      4: [{ at: hour(10.2), run: () => this.#withdrawPlan() }],
      5: [{ at: hour(19.8), run: (at) => this.#redeem(at) }],
      6: [
        { at: hour(9.4), run: () => watchFloat(this.#parts) },
        { at: hour(14.6), run: (at) => this.#sendAstray(at) },
      ],
    };
    return [...acts, ...(once[day] ?? [])];
  }

  /** What a newcomer finds open: in doubt, owed, pending. */
  #lastActs(): Act[] {
    const ago = (minutes: number): Date => new Date(this.#end.getTime() - minutes * MINUTE_MS);
    const sell = (at: Date, product: VendProduct, code: string, fate: Fate): Act => ({
      at,
      run: () => this.#purchases.sell(at, [{ ...this.#drawTaken(this.#shop(code), product), fate }]),
    });
    const owing = (at: Date, code: string): Act => ({
      at,
      run: () => this.#purchases.sell(at, [{ ...this.#drawOwing(this.#shop(code)), fate: fates.owedGoods }]),
    });
    const asks = Array.from({ length: 20 }, (_, index): Act => {
      const at = ago(20 - index);
      return { at, run: () => this.#purchases.ask(at) };
    });
    return [
      sell(ago(30 * 60), 'CABLE', 'EKOBILLS', fates.inDoubt),
      owing(ago(190), 'EKOBILLS'),
      { at: ago(188), run: () => this.#purchases.ask(ago(188)) },
      sell(ago(19), 'airtime', 'KUDI', fates.neverAnswered),
      sell(ago(17), 'data', 'KUDI', fates.neverAnswered),
      sell(ago(14), 'BETTING', 'NAIRAPLAY', fates.neverAnswered),
      ...asks,
    ];
  }

  async #rush(at: Date, count: number): Promise<void> {
    await this.#purchases.ask(at);
    const isDown = this.#isBadHour(at);
    const sales = Array.from({ length: count }, (): Sale & { readonly fate: Fate } => {
      const shop = this.#drawShop();
      const product = this.#drawProduct(shop);
      return { ...this.#draw(shop, product), fate: drawFate(this.#parts.seeded, product, isDown) };
    });
    await this.#purchases.sell(new Date(at.getTime() + 5_000), sales);
  }

  /** On the fourth day the first provider of the routes is down for a while. */
  #isBadHour(at: Date): boolean {
    const sinceMs = at.getTime() - this.#begin.getTime() - 3 * DAY_MS;
    return sinceMs > 14 * HOUR_MS && sinceMs < 15.5 * HOUR_MS;
  }

  #draw({ shop, keyId }: OpenShop, product: VendProduct): Sale {
    const principal = this.#principals.get(keyId);
    if (principal === undefined || this.#judge === undefined) throw new Error('the week was opened');
    return drawSale(
      this.#judge,
      this.#parts.seeded,
      { principal, reference: this.#reference(shop.code) },
      product,
    );
  }

  /** One whose customer is not rejected: it comes to its provider. */
  #drawTaken(shop: OpenShop, product: VendProduct): Sale {
    for (;;) {
      const sale = this.#draw(shop, product);
      if (sale.refusal === undefined) return sale;
    }
  }

  /** One that is owed a token: a postpaid meter is not. */
  #drawOwing(shop: OpenShop): Sale {
    for (;;) {
      const sale = this.#drawTaken(shop, 'ELECTRICITY');
      if (sale.judged.details?.goodsOwed === 'token') return sale;
    }
  }

  #reference(code: string): string {
    this.#count += 1;
    return `${code}-${String(this.#count).padStart(6, '0')}`;
  }

  #drawShop(): OpenShop {
    let left = this.#parts.seeded.draw();
    const found = this.#open.find(({ shop }) => {
      left -= shop.share;
      return left < 0;
    });
    return found ?? this.#shop('KUDI');
  }

  #drawProduct({ shop }: OpenShop): VendProduct {
    return this.#parts.seeded.pick(
      shop.buys.flatMap(([product, weight]) => Array.from({ length: weight }, () => product)),
    );
  }

  #shop(code: string): OpenShop {
    const found = this.#open.find(({ shop }) => shop.code === code);
    if (found === undefined) throw new Error(`there is no shop ${code}`);
    return found;
  }

  async #deposits(day: number, at: Date): Promise<void> {
    const { tx, bank } = this.#parts;
    for (const { shop } of this.#open) {
      if (!shop.deposits.onDays.includes(day)) continue;
      await receiveDeposit(tx, bank, { shop, amount: shop.deposits.amount, at }, this.#purchases.newId);
    }
  }

  async #unknownDeposit(at: Date): Promise<void> {
    const { tx, bank } = this.#parts;
    await receiveDeposit(tx, bank, { amount: 75_000_00n, at }, this.#purchases.newId);
  }

  async #topUp(at: Date): Promise<void> {
    for (const [provider, spent] of this.#purchases.takeSpent()) {
      await topUp(this.#parts.tx, provider, spent, at, 'what was sold since the last one');
    }
  }

  async #refund(fromProvider: boolean): Promise<void> {
    const { delivered } = this.#purchases;
    const vend =
      delivered[this.#parts.seeded.whole(Math.floor(delivered.length * 0.9), delivered.length - 1)];
    if (vend === undefined) return;
    delivered.splice(delivered.indexOf(vend), 1);
    this.#purchases.takeBack(vend.provider, await refund(this.#parts.tx, vend, fromProvider));
  }

  async #sellVouchers(): Promise<void> {
    this.#vouchers = await sellVouchers(this.#parts, this.#purchases.newId);
  }

  async #redeem(at: Date): Promise<void> {
    const { shop, keyId } = this.#shop('GIFTHUB');
    const principal = this.#principals.get(keyId);
    const voucherCode = this.#vouchers.pop();
    if (principal === undefined || this.#judge === undefined || voucherCode === undefined) return;
    const buyer = { principal, reference: this.#reference(shop.code), voucherCode };
    const sale = await drawVoucherSale(this.#parts, this.#judge, this.#purchases, buyer);
    await this.#purchases.sell(at, [{ ...sale, fate: fates.delivered }]);
  }

  /** A card that goes to a mailbox which is no more: one delivery is refused in every week. */
  async #sendAstray(at: Date): Promise<void> {
    const sale = this.#drawTaken(this.#shop('GIFTHUB'), 'GIFTCARD');
    await this.#purchases.sell(at, [{ ...sale, destination: goneMailbox, fate: fates.delivered }]);
  }

  async #withdrawPlan(): Promise<void> {
    await withdrawPlan(this.#parts.tx);
    await this.#reload();
  }

  /** As a gateway hears of changes. */
  async #reload(): Promise<void> {
    const { tx, providers, guards } = this.#parts;
    const loader = createPrincipalLoader(tx);
    for (const { keyId } of this.#open) {
      const known = await loader.load(keyId);
      if (known !== undefined) this.#principals.set(keyId, known.principal);
    }
    this.#judge = {
      catalog: await loadCatalog(tx),
      routes: await loadRoutes(tx),
      guards,
      providers,
      liveChannels: ['email', 'sms', 'whatsapp'],
    };
  }
}

/** Of the days that are over, those that people have looked at: all but the last. */
export function daysToClose({ begin, end }: { readonly begin: Date; readonly end: Date }): string[] {
  const days: string[] = [];
  for (let at = begin.getTime(); at + 2 * DAY_MS <= end.getTime(); at += DAY_MS)
    days.push(formatDay(new Date(at)));
  return days;
}
