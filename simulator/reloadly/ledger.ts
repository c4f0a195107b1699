/**
 * An index of the orders in the books by Reloadly's transaction id, and by our identifier in any
 * letter case. The books hold the orders; the index holds only their places.
 */
import type { Account } from '../account.ts';
import type { Order } from '../books.ts';

type Place = Pick<Order, 'reference' | 'copy'>;

export class Ledger {
  readonly #account: Account;
  readonly #byIdentifier = new Map<string, Place[]>();
  readonly #byTransaction = new Map<string, Place>();

  /** With all entries of earlier processes. */
  constructor(account: Account) {
    this.#account = account;
    for (const order of account.orders()) this.note(order);
  }

  note(order: Order): void {
    const { reference, copy } = order;
    const place = copy === undefined ? { reference } : { reference, copy };
    const name = reference.toLowerCase();
    this.#byIdentifier.set(name, [...(this.#byIdentifier.get(name) ?? []), place]);
    this.#byTransaction.set(order.detail.transactionId ?? '', place);
  }

  /**
   * Every order under an identifier: more than one where Reloadly's check let a second one pass.
   */
  async withIdentifier(identifier: string): Promise<readonly Order[]> {
    const places = this.#byIdentifier.get(identifier.toLowerCase()) ?? [];
    const orders = await Promise.all(places.map((place) => this.#account.find(place.reference, place.copy)));
    return orders.filter((order) => order !== undefined);
  }

  async withTransaction(transactionId: string): Promise<Order | undefined> {
    const place = this.#byTransaction.get(transactionId);
    return place === undefined ? undefined : await this.#account.find(place.reference, place.copy);
  }
}
