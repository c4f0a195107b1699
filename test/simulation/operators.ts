/** The operators of a simulation: they correct, settle and refund, and record what they did. */
import { OperationError } from '../../src/core/errors.ts';
import { postRefund } from '../../src/purchases/refunds/post-refund.ts';
import { settlePurchase } from '../../src/purchases/unresolved/operations/settle-purchase.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import type { Buyer } from '../purchases/fixture.ts';
import type { Installation } from './installation.ts';
import type { StoredPurchase } from './stored-purchases.ts';

export class Operators {
  readonly #installation: Installation;
  readonly #buyer: Buyer;
  readonly settled = new Set<string>();
  /** Credited to the wallet other than by purchases or deposits. */
  credited: bigint;
  refunded = 0n;
  /** How often they changed something. */
  acts = 0;

  constructor(installation: Installation, buyer: Buyer, credited: bigint) {
    this.#installation = installation;
    this.#buyer = buyer;
    this.credited = credited;
  }

  async credit(naira: number): Promise<void> {
    const { server } = this.#installation;
    const { merchantId, environment } = this.#buyer;
    const amount = BigInt(naira) * 100n;
    const [merchant] = await server.run(() =>
      server.database.query<{ code: string }>('select code from merchants where id = $1', [merchantId]),
    );
    const correction = { merchantCode: merchant?.code ?? '', environment, currency: 'NGN' } as const;
    const isDone = await this.#operate(() =>
      server.database.transaction((tx) =>
        creditWallet(tx, { ...correction, amount, memo: 'simulated' }, 'treasurer'),
      ),
    );
    if (isDone) this.credited += amount;
  }

  /** Ends it in agreement with the provider's books, unless something is still in flight. */
  async settle(purchase: StoredPurchase | undefined): Promise<void> {
    const { book, server, sealer, steps } = this.#installation;
    if (purchase === undefined || !purchase.is_pending || steps.waiting.some(({ kind }) => kind === 'call'))
      return;
    const orders = purchase.attempts.flatMap((reference) => book.find(reference) ?? []);
    if (orders.some(({ state }) => state === 'taken')) return;
    const status = orders.some(({ state }) => state === 'delivered') ? 'success' : 'failed';
    const { merchantId, environment } = this.#buyer;
    const key = { merchantId, environment, purchaseId: purchase.id } as const;
    for (const override of [false, true]) {
      const settlement = { status, evidence: 'the provider said so', override } as const;
      const isDone = await this.#operate(() =>
        server.database.transaction((tx) => settlePurchase(tx, sealer, key, settlement, 'supporter')),
      );
      if (!isDone) continue;
      this.settled.add(purchase.id);
      return;
    }
  }

  async refund(purchase: StoredPurchase | undefined, part: number): Promise<void> {
    const { server } = this.#installation;
    if (purchase === undefined) return;
    const { merchantId, environment } = this.#buyer;
    const amount = (purchase.charge * BigInt(part)) / 3n;
    const order = {
      purchase: { merchantId, environment, purchaseId: purchase.id, reference: purchase.reference },
      ...({ kind: 'merchant', amount, reason: 'simulated' } as const),
    };
    const isDone = await this.#operate(() =>
      server.database.transaction((tx) => postRefund(tx, order, 'treasurer')),
    );
    if (isDone) this.refunded += amount;
  }

  /** False if it was refused. */
  async #operate(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#installation.server.run(work);
      this.acts += 1;
      return true;
    } catch (error) {
      if (error instanceof OperationError) return false;
      throw error;
    }
  }
}
