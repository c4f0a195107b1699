/**
 * Loads a database with purchases by the function that commits them in a gateway, in batches of the
 * same size, by several concurrent writers. Each writer has separate merchants, so none waits for
 * another's wallet. Time is simulated: the purchases are spread over days.
 *
 * Guarantees: a stopped load continues after its last whole round. Its unfinished purchases stay as
 * a dead gateway leaves them.
 */

import { openBenchDatabase } from '../../bench/cluster.ts';
import { newId } from '../../src/core/ids.ts';
import { limits } from '../../src/core/limits.ts';
import type { Database } from '../../src/db/database.ts';
import { creditDeposit, depositAccounts } from '../../src/funding/credit-deposit.ts';
import { commitPurchases } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { rollUpHouseBalances } from '../../src/wallet/ledger/roll-up.ts';
import { createSeeded, type Seeded } from '../../test/support/seeded.ts';
import { addCounts, pruneWallets } from './catch-up.ts';
import {
  answerAgain,
  type Bought,
  COMMON_NETWORKS,
  drawAnswer,
  drawPurchase,
  RARE_NETWORK,
} from './draw-purchases.ts';
import { bank, findSellers, paidTo, type Seller } from './sellers.ts';
import { beginPlaying, noteRound, readProgress, setTime } from './ten-million-store.ts';

const WRITERS = 4;
const BATCHES_PER_ROUND = 60;
const BATCH = limits.batchMax;
/** The share of the first merchant in each writer's purchases. */
const SHARES_OF_FIRST = [0.6, 0.3, 0.3, 0.3];
/** This many other merchants buy in one batch. */
const OTHERS_AT_ONCE = 12;
const RARE = 10;
const DEPOSITS_PER_ROUND = 4;
const ROUNDS_PER_WORD = 20;
const owner = newId();

export type Load = {
  readonly databaseUrl: string;
  readonly purchases: number;
  readonly progress: (text: string) => void;
};

/** Returns how many seconds it took, including previous runs. */
export async function load({ databaseUrl, purchases, progress }: Load): Promise<number> {
  await using database = openBenchDatabase(databaseUrl, 4);
  const sellers = await findSellers(database);
  const perRound = Math.min(WRITERS * BATCHES_PER_ROUND * BATCH, Math.ceil(purchases / 4));
  const rounds = Math.ceil(purchases / perRound);
  await using stack = new AsyncDisposableStack();
  const writers = SHARES_OF_FIRST.map((share, index) => {
    const own = sellers.filter((_, place) => Math.floor(place / 2) % WRITERS === index);
    return new Writer(stack.use(openBenchDatabase(databaseUrl, 1)), own, share);
  });
  if (((await readProgress(database))?.rounds ?? 0) < rounds) await beginPlaying(database);
  const depositing = stack.use(openBenchDatabase(databaseUrl, 1));
  for (;;) {
    const done = await readProgress(database);
    if (done === undefined) throw new Error('a load has begun');
    if (done.rounds >= rounds) return done.seconds;
    const startMs = performance.now();
    const from = spanOf(done.begin, done.end, done.rounds / rounds);
    const to = spanOf(done.begin, done.end, (done.rounds + 1) / rounds);
    const size = Math.ceil(Math.min(perRound, purchases - done.rounds * perRound) / WRITERS);
    await Promise.all([
      ...writers.map((writer, index) => writer.run({ seed: WRITERS * done.rounds + index, size, from, to })),
      sweep(database),
    ]);
    await deposit(depositing, sellers, done.rounds, to);
    await noteRound(database, (performance.now() - startMs) / 1_000);
    if ((done.rounds + 1) % ROUNDS_PER_WORD !== 0) continue;
    const loaded = Math.min(purchases, (done.rounds + 1) * perRound);
    progress(
      `${loaded.toLocaleString('en')} purchases, now ${Math.round(perRound / ((performance.now() - startMs) / 1_000)).toLocaleString('en')} a second`,
    );
  }
}

function spanOf(begin: Date, end: Date, share: number): Date {
  return new Date(begin.getTime() + share * (end.getTime() - begin.getTime()));
}

/** Data that a gateway's jobs would delete meanwhile. */
async function sweep(database: Database): Promise<void> {
  await pruneWallets(database);
  await addCounts(database);
  while ((await rollUpHouseBalances(database)).more);
}

/** Pays deposits to some merchants with a bank account. */
async function deposit(
  database: Database,
  sellers: readonly Seller[],
  round: number,
  at: Date,
): Promise<void> {
  await setTime(database, at);
  const houses = createHouseAccounts(database);
  for (let index = 0; index < DEPOSITS_PER_ROUND; index += 1) {
    const code = sellers[(2 * (DEPOSITS_PER_ROUND * round + index)) % 20]?.code ?? '';
    const payment = {
      reference: `paid-${round}-${index}`,
      paidTo: { kind: 'reference', value: paidTo(code) },
      amount: 1_000_00n + BigInt(round),
      currency: 'NGN',
      paidAt: at,
    } as const;
    const accounts = await depositAccounts(houses, bank, payment);
    await database.transaction((tx) => creditDeposit(tx, bank, payment, accounts));
  }
}

type Round = { readonly seed: number; readonly size: number; readonly from: Date; readonly to: Date };

/** One connection, which commits new purchases together with the answers since. */
class Writer {
  readonly #database: Database;
  readonly #sellers: readonly Seller[];
  readonly #shareOfFirst: number;

  constructor(database: Database, sellers: readonly Seller[], shareOfFirst: number) {
    this.#database = database;
    this.#sellers = sellers;
    this.#shareOfFirst = shareOfFirst;
  }

  async run({ seed, size, from, to }: Round): Promise<void> {
    const chance = createSeeded(seed);
    const batches = Math.ceil(size / BATCH);
    let answers: ResolveItem[] = [];
    let unknown: Bought[] = [];
    for (let batch = 0; batch < batches; batch += 1) {
      const at = spanOf(from, to, batch / batches);
      await setTime(this.#database, at);
      const isFirst = seed < WRITERS && batch === 0;
      const bought = this.#draw(chance, at, Math.min(BATCH, size - batch * BATCH), isFirst);
      await this.#commit(bought, answers);
      answers = unknown.map((one) => answerAgain(chance, one));
      unknown = [];
      for (const one of bought) {
        const { answer, isUnknown } = drawAnswer(chance, one);
        answers.push(answer);
        if (isUnknown) unknown.push(one);
      }
    }
    await this.#commit([], answers);
    await this.#commit(
      [],
      unknown.map((one) => answerAgain(chance, one)),
    );
  }

  /** The first purchases are of a network that does not occur again. */
  #draw(chance: Seeded, at: Date, size: number, isFirst: boolean): Bought[] {
    // The purchases of a merchant are adjacent.
    const others = Array.from({ length: OTHERS_AT_ONCE }, () => chance.pick(this.#sellers.slice(2)));
    const firsts = this.#sellers.slice(0, 2);
    return Array.from({ length: size }, (_, index) =>
      isFirst && index < 2 * RARE
        ? drawPurchase(chance, firsts[index % 2] ?? chance.pick(firsts), at, [RARE_NETWORK])
        : drawPurchase(
            chance,
            chance.pick(chance.happens(this.#shareOfFirst) ? firsts : others),
            at,
            COMMON_NETWORKS,
          ),
    );
  }

  async #commit(bought: readonly Bought[], resolves: readonly ResolveItem[]): Promise<void> {
    if (bought.length + resolves.length === 0) return;
    const accepts = bought.map(({ item }) => item);
    const verdicts = await commitPurchases(this.#database, { accepts, resolves }, owner);
    const refused = verdicts.accepts.find(({ kind }) => kind !== 'accepted');
    if (refused !== undefined) throw new Error(`a purchase that is loaded was not accepted: ${refused.kind}`);
  }
}
