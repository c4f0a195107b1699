/**
 * The last live purchases that this process committed, one of each batch. A database without one of
 * them was rewound.
 */

export type Purchase = { readonly merchantId: number; readonly purchaseId: string };

const KEPT = 16;

export class LastAccepted {
  #purchases: readonly Purchase[] = [];
  #onNote: () => void = () => undefined;

  /** Sets the function that is called after each note. */
  onNote(listener: () => void): void {
    this.#onNote = listener;
  }

  note(purchase: Purchase): void {
    this.#purchases = [...this.#purchases, purchase].slice(-KEPT);
    this.#onNote();
  }

  /** Adds purchases that earlier processes noted, of which the newest count. */
  recall(purchases: readonly Purchase[]): void {
    this.#purchases = [...purchases, ...this.#purchases]
      .toSorted((one, other) => (one.purchaseId < other.purchaseId ? -1 : 1))
      .slice(-KEPT);
  }

  list(): readonly Purchase[] {
    return this.#purchases;
  }

  forget(purchases: readonly Purchase[]): void {
    this.#purchases = this.#purchases.filter((purchase) => !purchases.includes(purchase));
  }
}
