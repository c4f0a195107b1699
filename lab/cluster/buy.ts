/** One buyer: purchases of some merchants in one database, in batches as a gateway commits them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { commitPurchases } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import type { Seeded } from '../../test/support/seeded.ts';
import { answerAgain, type Bought, drawAnswer, drawPurchase } from '../ten-million/draw-purchases.ts';
import type { Seller } from '../ten-million/sellers.ts';

const BATCH = 64;
const owner = newId();

export class Buyer {
  readonly #database: Database;
  readonly #sellers: readonly Seller[];
  readonly #chance: Seeded;
  /** How many purchases of each wallet were acknowledged. */
  readonly acknowledged = new Map<bigint, number>();
  /** Batches whose answer was lost, and which were repeated. */
  repeated = 0;

  constructor(database: Database, sellers: readonly Seller[], chance: Seeded) {
    this.#database = database;
    this.#sellers = sellers;
    this.#chance = chance;
  }

  /** Buys, reports the providers' answers, and asks again for those that were unknown. */
  async buy(): Promise<number> {
    const bought = Array.from({ length: BATCH }, () =>
      drawPurchase(this.#chance, this.#chance.pick(this.#sellers), new Date()),
    );
    await this.#insist(async () => {
      const { accepts } = await this.#commit(bought, []);
      for (const [at, verdict] of accepts.entries()) {
        const isOwn = verdict.kind === 'duplicate' && verdict.firstId === bought[at]?.item.id;
        if (verdict.kind !== 'accepted' && !isOwn) throw new Error(`a purchase was ${verdict.kind}`);
      }
    });
    for (const { seller } of bought) {
      this.acknowledged.set(seller.walletId, (this.acknowledged.get(seller.walletId) ?? 0) + 1);
    }
    const answers = bought.map((one) => drawAnswer(this.#chance, one));
    await this.#insist(async () => {
      await this.#commit(
        [],
        answers.map(({ answer }) => answer),
      );
    });
    const unknown = bought.filter((_, at) => answers[at]?.isUnknown);
    const again = unknown.map((one) => answerAgain(this.#chance, one));
    if (again.length > 0) await this.#insist(async () => void (await this.#commit([], again)));
    return bought.length;
  }

  async #commit(
    bought: readonly Bought[],
    resolves: readonly ResolveItem[],
  ): ReturnType<typeof commitPurchases> {
    return await commitPurchases(
      this.#database,
      { accepts: bought.map(({ item }) => item), resolves },
      owner,
    );
  }

  /** A lost answer leaves it unknown whether the batch was stored, so the batch is sent again. */
  async #insist(work: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if (tries === 20) throw error;
        this.repeated += 1;
        await sleep(200);
      }
    }
  }
}
