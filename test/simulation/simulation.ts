/**
 * Runs the commands of one seed: a separate merchant, up to three gateway processes, scripted
 * providers, and the checks after every command. The same commands give the same run.
 */

import { GatewayError } from '../../src/core/errors.ts';
import { noFailpoints } from '../../src/core/failpoints.ts';
import { ConnectionLostError } from '../../src/db/database-errors.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import type { PriceSchedule } from '../../src/merchants/prices/price-schedule.ts';
import { countProgress } from '../../src/purchases/batches/batch-store.ts';
import { workBatches } from '../../src/purchases/batches/work-batches.ts';
import type { Purchase, PurchaseMode, PurchaseRequest } from '../../src/purchases/state/purchase.ts';
import { type Buyer, openBuyer } from '../purchases/fixture.ts';
import { createSeeded } from '../support/seeded.ts';
import { fileOf, files, planRows, progressDifferences, uploadBatch } from './batches.ts';
import { differences, type Told } from './check.ts';
import { type Buy, type Command, purchaseName } from './command.ts';
import type { GatewayProcess } from './gateway-process.ts';
import type { Installation } from './installation.ts';
import { accountOf, closeMerchant, openMerchant } from './merchant.ts';
import { Operators } from './operators.ts';
import { openPriceList, priceAt } from './price-list.ts';
import { Processes } from './processes.ts';
import { meterOf, products, requestOf } from './products.ts';
import { bankName } from './scripted-bank.ts';
import { panelName } from './scripted-panel.ts';
import { purchaseKey } from './scripted-provider.ts';
import { recheckSuccesses } from './second-looks.ts';
import { silentPanelName } from './silent-panel.ts';
import { readStored, type Stored, type StoredPurchase } from './stored-purchases.ts';
import { findMissing } from './untold.ts';

const START_KOBO = 200_000n;
/** Longer than the first postponement of events and payments. */
const AGAIN_MS = 600_000;
/** If a clock was set back by hours, they pass in steps of ten minutes with queries. */
const ROUNDS_MAX = 300;
/** A panel without a record by then never reports, and a person does not wait a day. */
const PANEL_ROUNDS = 12;
/** By then a debit has lasted an hour, unless the clock of the database was set back. */
const DEBIT_STANDS_MS = 2 * 3_600_000;

export class Simulation {
  readonly #installation: Installation;
  readonly #processes: Processes;
  readonly #buyer: Buyer;
  readonly #principal: Principal;
  readonly #operators: Operators;
  readonly #told: Told[] = [];
  readonly #ended = new Map<string, string>();
  readonly #broken: string[] = [];
  /** The stored state and its time. Nothing is read twice. */
  #stored: { readonly at: number; readonly stored: Stored } | undefined;

  private constructor(installation: Installation, buyer: Buyer, prices: PriceSchedule) {
    this.#installation = installation;
    this.#processes = new Processes(installation, (process) => this.#workBatches(process));
    this.#buyer = buyer;
    this.#operators = new Operators(installation, buyer, START_KOBO);
    this.#principal = {
      credentialId: buyer.credentialId,
      environment: 'live',
      rateLimitPerS: undefined,
      merchant: {
        id: buyer.merchantId,
        code: `BUYER-${buyer.merchantId}`,
        name: 'Buyer',
        suspended: false,
        products: new Set(products),
        prices,
        wallets: new Map([['NGN', buyer.walletId]]),
      },
    };
  }

  static async open(installation: Installation): Promise<Simulation> {
    const { server, time } = installation;
    const buyer = await server.run(() => openBuyer(server.database, START_KOBO));
    await server.run(() => openMerchant(installation, buyer));
    if (server.cells.length > 0) await installation.findCell(buyer.merchantId);
    const prices = await server.run(() =>
      server.database.transaction((tx) => openPriceList(tx, buyer.merchantId, time.nowMs)),
    );
    return new Simulation(installation, buyer, prices);
  }

  /** The errors after the command. Empty if all checks passed. */
  async run(command: Command): Promise<readonly string[]> {
    await this.#run(command);
    return await this.#check();
  }

  /**
   * Ends all faults and moves time forward until everything is final. A person settles the
   * purchases left to people. Returns the errors found.
   */
  async finish(): Promise<readonly string[]> {
    const { book, bank, receiver, server, steps, time } = this.#installation;
    steps.thaw();
    await this.#processes.drain();
    for (let round = 0; round < 3; round += 1) await this.#callBackAll();
    for (const it of [book, bank, receiver]) it.faults = false;
    for (const number of [1, 2] as const) await this.#processes.die(number, true);
    await this.#processes.need(0);
    const begunMs = time.elapsedMs;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      // The first step is long enough to detect dead processes.
      await this.#processes.work(round === 0 ? 8 : 1);
      const stored = await this.#read();
      const pending = stored.purchases.filter((purchase) => purchase.is_pending);
      if (pending.length === 0 && this.#findMissing(stored).length === 0) break;
      for (const purchase of pending) {
        // References begin with the name of their provider.
        const [provider] = purchase.attempts.at(-1)?.split('-') ?? [];
        const isUntold =
          (provider === panelName && round >= PANEL_ROUNDS) ||
          (provider === silentPanelName && time.elapsedMs - begunMs >= DEBIT_STANDS_MS);
        if (purchase.flagged || isUntold) await this.#operators.settle(purchase);
      }
      const [next] = await server.run(() =>
        server.database.query<{ ms: number | null }>(
          `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
           from (
             select due_at from pending_purchases where merchant_id = $1
             union all
             select due_at from pending_fulfilments where merchant_id = $1
             union all
             select due_at from batches where merchant_id = $1
           ) as waiting`,
          [this.#buyer.merchantId],
        ),
      );
      // Even without waiting purchases, payments must be listed and events sent again.
      await steps.pass(Math.max(1, next?.ms ?? AGAIN_MS));
    }
    const stored = await this.#read();
    const { purchases } = stored;
    const wrong = [
      ...purchases
        .filter((purchase) => purchase.is_pending)
        .map(({ reference }) => `${reference}: it never becomes final`),
      ...this.#findMissing(stored),
      ...(await this.#countBatches(stored)),
      ...(await recheckSuccesses(
        this.#installation,
        this.#processes,
        this.#buyer,
        purchases,
        this.#operators.settled,
      )),
    ];
    for (const it of [book, bank, receiver]) it.faults = true;
    await this.#acknowledgeLies();
    return [...wrong, ...(await this.#check())];
  }

  async #countBatches({ batches, purchases }: Stored): Promise<string[]> {
    const { server } = this.#installation;
    const { merchantId } = this.#buyer;
    const wrong: string[] = [];
    for (const file of files.map((number) => fileOf(merchantId, number))) {
      const batch = batches.find(({ hash }) => hash === file.hash);
      if (batch === undefined) continue;
      const progress = await server.run(() => countProgress(server.database, merchantId, batch.id));
      wrong.push(...progressDifferences(file, batch, purchases, progress));
    }
    return wrong;
  }

  #findMissing(stored: Stored): string[] {
    return findMissing(this.#installation, this.#buyer, stored, this.#operators.settled);
  }

  /** Ends the rest of it. */
  async close(): Promise<void> {
    const { server, steps, time } = this.#installation;
    await this.#processes.dieAll();
    time.clear();
    steps.forgetTheDead();
    server.aheadMs = 0;
    await server.run(() => server.database.query('delete from gateways'));
    await server.run(() => closeMerchant(server.database, this.#buyer));
  }

  /** A person reviews the contradictions of providers, which no gateway can resolve. */
  async #acknowledgeLies(): Promise<void> {
    const { book, server } = this.#installation;
    const isLie = (reference: string): boolean => {
      const order = book.find(reference);
      return order !== undefined && (order.lied || order.takenBack);
    };
    const purchases = (await this.#read()).purchases.filter(({ attempts }) => attempts.some(isLie));
    await server.run(() =>
      server.database.query(
        'update alarms set acknowledged_at = now() where merchant_id = $1 and purchase_id = any($2::uuid[])',
        [this.#buyer.merchantId, purchases.map(({ id }) => id)],
      ),
    );
  }

  async #run(command: Command): Promise<void> {
    const { steps, server } = this.#installation;
    switch (command.kind) {
      case 'buy':
        return await this.#buy(command);
      case 'batch':
        return await this.#batch(command);
      case 'go on':
        return await this.#goOn(command);
      case 'stand still':
        return await steps.pass(command.ms);
      case 'work':
        return await this.#processes.work(command.seconds, command.jobs);
      case 'die':
        await this.#processes.die(command.process, command.arrives);
        return;
      case 'freeze':
        this.#processes.freeze(command.process, command.seconds * 1_000);
        return;
      case 'lose connection':
        return await this.#loseConnection(command);
      case 'look up':
        return await this.#lookUp(command);
      case 'call back':
        return await this.#callBack(command);
      case 'pay in':
        return await this.#payIn(command);
      case 'notify':
        return await this.#notify(command);
      case 'credit':
        return await this.#operators.credit(command.amount);
      case 'settle':
        return await this.#operators.settle(await this.#find(command.reference));
      case 'refund':
        return await this.#refund(command);
      case 'set clock':
        if (command.of === 'database') server.aheadMs += command.seconds * 1_000;
        else this.#processes.setClock(command.of, command.seconds * 1_000);
        return;
    }
  }

  async #buy(purchase: Buy): Promise<void> {
    const { book, steps } = this.#installation;
    const { merchantId } = this.#buyer;
    const { reference, product, mode } = purchase;
    const process = await this.#processes.need(purchase.process);
    const name = purchaseName(reference);
    const meter = meterOf(merchantId, reference);
    book.plan(purchaseKey(merchantId, name), name, purchase.scripts);
    book.planCustomer(meter, purchase.customers);
    const request = {
      ...requestOf(product, merchantId, reference),
      principal: this.#principal,
      reference: name,
      faceValue: BigInt(purchase.amount) * 100n,
    };
    this.#request(process, request, mode).catch(() => undefined);
    await steps.pass(1);
  }

  /** Sends a purchase request to a process, and records its answer. */
  async #request(
    { purchases, nowMs }: GatewayProcess,
    request: PurchaseRequest,
    mode: PurchaseMode,
  ): Promise<Purchase> {
    const told: { -readonly [Key in keyof Told]: Told[Key] } = {
      reference: request.reference,
      status: undefined,
      price: priceAt(this.#principal.merchant.prices, request.faceValue, nowMs()),
    };
    this.#told.push(told);
    try {
      const purchase = await purchases.purchase(request, mode);
      told.status = purchase.status;
      told.token = purchase.goods.token;
      return purchase;
    } catch (error) {
      told.status = this.#statusOf(error);
      throw error;
    }
  }

  async #batch({ process, file: number, to, scripts }: Extract<Command, { kind: 'batch' }>): Promise<void> {
    const { book, steps } = this.#installation;
    const file = fileOf(this.#buyer.merchantId, number);
    planRows(book, this.#buyer.merchantId, file, scripts);
    uploadBatch(await this.#processes.need(process), this.#principal, file, to).then(
      (state) => {
        if (state === 'stopped' || state === 'done') this.#ended.set(file.hash, state);
      },
      (error: unknown) => {
        if (!(error instanceof ConnectionLostError)) this.#broken.push(`an upload broke: ${error}`);
      },
    );
    await steps.pass(1);
  }

  /** The worker of a process. The merchant could have made its purchases itself. */
  async #workBatches(process: GatewayProcess): Promise<unknown> {
    return await workBatches({
      database: process.database,
      failpoints: noFailpoints,
      principalOf: async (id) => (id === this.#buyer.credentialId ? this.#principal : undefined),
      purchase: (request, mode) => this.#request(process, request, mode),
    });
  }

  /** The information about its purchase that a merchant gets from a refusal. */
  #statusOf(error: unknown): Told['status'] {
    if (!(error instanceof GatewayError)) {
      this.#broken.push(`a request broke: ${error}`);
      return undefined;
    }
    for (const fault of error.faults) {
      if (fault.code === 'reference_used') return fault.status;
      if (fault.code === 'outcome_unknown') return undefined;
    }
    return 'not stored';
  }

  async #goOn({ count, order }: Extract<Command, { kind: 'go on' }>): Promise<void> {
    const { steps } = this.#installation;
    const seeded = createSeeded(order);
    for (let done = 0; done < count && steps.ready.length > 0; done += 1) {
      await steps.pass(1);
      const { ready } = steps;
      if (ready.length > 0) await steps.happen(seeded.pick(ready));
    }
  }

  async #loseConnection({ order, stored }: Extract<Command, { kind: 'lose connection' }>): Promise<void> {
    const { steps } = this.#installation;
    const commits = steps.ready.filter(({ kind }) => kind === 'commit');
    if (commits.length === 0) return;
    const step = createSeeded(order).pick(commits);
    await steps.breakOff(step, new ConnectionLostError('the connection broke'), stored);
  }

  async #lookUp({ process, order }: Extract<Command, { kind: 'look up' }>): Promise<void> {
    const name = (await this.#draw(order))?.reference;
    if (name === undefined) return;
    const { purchases } = await this.#processes.need(process);
    purchases.findPurchase(this.#principal, name).then(
      (purchase) => {
        if (purchase !== undefined)
          this.#told.push({ reference: name, status: purchase.status, token: purchase.goods.token });
      },
      () => undefined,
    );
    await this.#installation.steps.pass(1);
  }

  async #callBack({ process, order }: Extract<Command, { kind: 'call back' }>): Promise<void> {
    const { book, steps } = this.#installation;
    const key = purchaseKey(this.#buyer.merchantId, '');
    const { purchases } = await this.#processes.need(process);
    const orders = [...book.orders].filter(({ purchase }) => purchase.startsWith(key));
    const of = orders.length === 0 ? undefined : createSeeded(order).pick(orders);
    const hint = purchases.queryNow(of?.provider ?? 'north', of?.reference ?? 'nobody-knows');
    hint.catch(() => undefined);
    await steps.pass(1);
  }

  async #payIn(command: Extract<Command, { kind: 'pay in' }>): Promise<void> {
    const { payment, amount, script, process } = command;
    const reference = this.#paymentName(payment);
    this.#installation.bank.pay(reference, accountOf(this.#buyer), BigInt(amount) * 100n, script);
    if (process !== undefined) await this.#notify({ kind: 'notify', process, payment, isForged: false });
  }

  async #notify({ process, payment, isForged }: Extract<Command, { kind: 'notify' }>): Promise<void> {
    const { funding } = await this.#processes.need(process);
    const signature = isForged ? 'forged' : 'genuine';
    const taking = funding.takeNotice(bankName, Buffer.from(this.#paymentName(payment)), { signature });
    taking.then(
      (answer) => {
        if ((answer === 'forged') !== isForged) this.#broken.push(`a ${signature} notice was ${answer}`);
      },
      () => undefined,
    );
    await this.#installation.steps.pass(1);
  }

  #paymentName(payment: number): string {
    return `${this.#buyer.merchantId}-D${payment}`;
  }

  /** Providers call back about every pending order, and still answer queries falsely. */
  async #callBackAll(): Promise<void> {
    const { book } = this.#installation;
    const { purchases } = await this.#processes.need(0);
    for (const purchase of (await this.#read()).purchases) {
      const order = purchase.is_pending ? book.find(purchase.attempts.at(-1) ?? '') : undefined;
      if (order !== undefined) purchases.queryNow(order.provider, order.reference).catch(() => undefined);
    }
    await this.#processes.work(1);
  }

  async #refund({ order, part, times }: Extract<Command, { kind: 'refund' }>): Promise<void> {
    const { purchases } = await this.#read();
    const successes = purchases.filter(({ status }) => status === 'success');
    // Usually for a success: other purchases are not refunded.
    const all = [...purchases, ...successes, ...successes];
    const purchase = all.length === 0 ? undefined : createSeeded(order).pick(all);
    for (let time = 0; time < times; time += 1) await this.#operators.refund(purchase, part);
  }

  /** A recorded one. */
  async #draw(order: number): Promise<StoredPurchase | undefined> {
    const { purchases } = await this.#read();
    return purchases.length === 0 ? undefined : createSeeded(order).pick(purchases);
  }

  async #find(reference: number): Promise<StoredPurchase | undefined> {
    return (await this.#read()).purchases.find((purchase) => purchase.reference === purchaseName(reference));
  }

  async #read(): Promise<Stored> {
    const { server, steps } = this.#installation;
    const at = steps.happened + this.#operators.acts;
    if (this.#stored?.at === at) return this.#stored.stored;
    const stored = await server.run(() => readStored(server.database, this.#buyer));
    this.#stored = { at, stored };
    return stored;
  }

  async #check(): Promise<readonly string[]> {
    const { book, bank } = this.#installation;
    const { settled, credited, refunded } = this.#operators;
    const { merchantId } = this.#buyer;
    return [
      ...this.#broken,
      ...book.takeWrong(),
      ...differences({
        payments: bank.paymentsOf(accountOf(this.#buyer)),
        ...(await this.#read()),
        book,
        told: this.#told,
        ended: this.#ended,
        settled,
        merchantId,
        credited,
        refunded,
      }),
    ];
  }
}
