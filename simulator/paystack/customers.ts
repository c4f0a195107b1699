/**
 * Paystack's customers: found by e-mail, by code and by number. One that was created by a separate
 * call has no account yet, and is forgotten when the simulator stops.
 */
import type { Bank, BankAccount } from '../bank/bank.ts';

export type Customer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  /** Ten digits of the account that the customer has or will have. */
  readonly number: string;
};

export class Customers {
  readonly #bank: Bank;
  readonly #made = new Map<string, Customer>();

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  /** The same e-mail again is the same customer. */
  make(fields: Omit<Customer, 'number'>): Customer {
    const key = fields.email.toLowerCase();
    const known = this.find(key);
    if (known !== undefined) return known;
    const customer = { ...fields, number: this.#bank.numberFor('paystack', key) };
    this.#made.set(key, customer);
    return customer;
  }

  /** By e-mail in any letter case, by code, or by number. */
  find(name: string): Customer | undefined {
    return this.all().find(
      (one) => one.email.toLowerCase() === name.toLowerCase() || codeOf(one) === name || idOf(one) === name,
    );
  }

  all(): readonly Customer[] {
    const held = this.#bank.accounts('paystack').map(customerOf);
    const emails = new Set(held.map(({ email }) => email.toLowerCase()));
    return [...held, ...[...this.#made.values()].filter(({ email }) => !emails.has(email.toLowerCase()))];
  }
}

export function customerOf({ email, name, number }: BankAccount): Customer {
  const [firstName = '', ...rest] = name.split(' ');
  return { email, firstName, lastName: rest.join(' '), phone: '', number };
}

export function codeOf({ number }: Pick<Customer, 'number'>): string {
  return `CUS_sim${number}`;
}

/** A number, as Paystack's ids of customers are. */
export function idOf({ number }: Pick<Customer, 'number'>): string {
  return String(Number(number.slice(2)));
}
