/**
 * The simulated bank behind the simulated funding providers: their accounts and every received
 * transfer. It is the reference for deposits in every comparison. Guarantees: an account or
 * transfer is on disk before it is reported; a transfer appears once.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Faults } from '../faults.ts';
import { Journal } from '../journal.ts';
import type { Settings } from '../settings.ts';
import { type BankProvider, type Notifier, openNotifier } from './notices.ts';

export type BankAccount = {
  readonly provider: BankProvider;
  /**
   * The provider's key of it: our reference at Monnify, the customer's e-mail at Paystack, a
   * generated name at the others.
   */
  readonly key: string;
  /** Our reference, where it is not the key and the provider repeats it with payments. */
  readonly reference?: string;
  readonly number: string;
  readonly name: string;
  readonly email: string;
  /** A hash of the BVN, to recognize an identity. */
  readonly bvnHash: string | undefined;
  /** A dedicated account exists some time after its request. */
  readonly readyAt: Date;
  /** Requested with data that identify no person: it will never be opened. */
  readonly failed: boolean;
};

export type Transfer = {
  readonly provider: BankProvider;
  readonly reference: string;
  readonly accountNumber: string;
  /** In kobo. */
  readonly amount: bigint;
  readonly at: Date;
};

/** The shared parts of the simulated banks' calls. */
export class Bank {
  readonly settings: Settings;
  readonly faults: Faults;
  readonly notifier: Notifier;
  readonly #accounts: BankAccount[] = [];
  readonly #transfers: Transfer[] = [];
  readonly #opening = new Map<string, Promise<BankAccount>>();
  #journal: Journal | undefined;

  private constructor(settings: Settings, faults: Faults) {
    this.settings = settings;
    this.faults = faults;
    this.notifier = openNotifier(settings.hooksUrl);
  }

  static async open(settings: Settings, faults: Faults): Promise<Bank> {
    const bank = new Bank(settings, faults);
    bank.#journal = await Journal.open(join(settings.folder, 'bank.ndjson'), (entry) => bank.#note(entry));
    return bank;
  }

  findAccount(provider: BankProvider, key: string): BankAccount | undefined {
    return this.#accounts.find((account) => account.provider === provider && account.key === key);
  }

  findNumber(number: string): BankAccount | undefined {
    return this.#accounts.find((account) => account.number === number);
  }

  accounts(provider: BankProvider): readonly BankAccount[] {
    return this.#accounts.filter((account) => account.provider === provider);
  }

  /** The number of that key's account, present or future. */
  numberFor(provider: BankProvider, key: string): string {
    return this.findAccount(provider, key)?.number ?? this.#freeNumber(provider, key);
  }

  hasIdentity(provider: BankProvider, bvn: string): boolean {
    return this.#accounts.some((account) => account.provider === provider && account.bvnHash === hash(bvn));
  }

  /**
   * Returns the account of that key, and creates it if it is missing. On disk when this resolves.
   */
  async openAccount(
    account: Omit<BankAccount, 'number' | 'bvnHash'> & {
      readonly bvn: string | undefined;
    },
  ): Promise<BankAccount> {
    const { bvn, ...rest } = account;
    const slot = `${account.provider}/${account.key}`;
    const known = this.findAccount(account.provider, account.key);
    if (known !== undefined) return known;
    const opening = this.#opening.get(slot) ?? this.#store(rest, bvn);
    this.#opening.set(slot, opening);
    return await opening.finally(() => this.#opening.delete(slot));
  }

  /** A customer pays. On disk when this resolves; the provider sends its notice `notices` times. */
  async transfer(
    transfer: Pick<Transfer, 'provider' | 'accountNumber' | 'amount'>,
    notices: number,
  ): Promise<Transfer> {
    const made = { ...transfer, reference: newReference(transfer.provider), at: new Date() };
    await this.#journal?.append({ transfer: { ...made, amount: String(made.amount) } });
    this.#transfers.push(made);
    for (let count = 0; count < notices; count += 1) this.notifier.tellTransfer(this, made);
    return made;
  }

  findTransfer(provider: BankProvider, reference: string): Transfer | undefined {
    return this.#transfers.find((made) => made.provider === provider && made.reference === reference);
  }

  /** Oldest first. */
  transfers(): readonly Transfer[] {
    return this.#transfers;
  }

  async close(): Promise<void> {
    this.notifier.close();
    await this.#journal?.close();
  }

  async #store(
    account: Omit<BankAccount, 'number' | 'bvnHash'>,
    bvn: string | undefined,
  ): Promise<BankAccount> {
    const number = this.#freeNumber(account.provider, account.key);
    const stored = { ...account, number, bvnHash: bvn === undefined ? undefined : hash(bvn) };
    await this.#journal?.append({ account: stored });
    this.#accounts.push(stored);
    return stored;
  }

  #freeNumber(provider: BankProvider, key: string): string {
    for (let salt = 0; ; salt += 1) {
      const digits = BigInt(`0x${hash(`${key}/${salt}`).slice(0, 15)}`) % 100_000_000n;
      const number = `${FIRST_DIGITS[provider]}${digits.toString().padStart(8, '0')}`;
      if (this.findNumber(number) === undefined) return number;
    }
  }

  #note(entry: unknown): void {
    const { account, transfer } = entry as { account?: BankAccount; transfer?: Transfer };
    if (account !== undefined) this.#accounts.push({ ...account, readyAt: new Date(account.readyAt) });
    if (transfer !== undefined) {
      this.#transfers.push({ ...transfer, amount: BigInt(transfer.amount), at: new Date(transfer.at) });
    }
  }
}

const FIRST_DIGITS = { monnify: '60', paystack: '98', flutterwave: '78', payvessel: '66' } as const;

function newReference(provider: BankProvider): string {
  const id = randomUUID().replaceAll('-', '');
  if (provider === 'monnify') return `MNFY|04|${id.slice(0, 14)}|${id.slice(14, 22)}`;
  return provider === 'flutterwave' ? String(Number.parseInt(id.slice(0, 12), 16)) : id.slice(0, 20);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
