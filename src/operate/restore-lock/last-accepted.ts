/**
 * The last live purchases that this process stored, of each batch one. Their commit was
 * acknowledged: a database that lacks one of them went back.
 */

export type Purchase = { readonly merchantId: number; readonly purchaseId: string };

const KEPT = 16;

export class LastAccepted {
  #purchases: readonly Purchase[] = [];
  #onNote: () => void = () => undefined;

  /** `told` is called after each note. */
  onNote(told: () => void): void {
    this.#onNote = told;
  }

  note(purchase: Purchase): void {
    this.#purchases = [...this.#purchases, purchase].slice(-KEPT);
    this.#onNote();
  }

  list(): readonly Purchase[] {
    return this.#purchases;
  }

  forget(purchases: readonly Purchase[]): void {
    this.#purchases = this.#purchases.filter((purchase) => !purchases.includes(purchase));
  }
}
