/**
 * The signed notices by which the simulated banks report transfers and accounts, sent until
 * they are accepted.
 */
import { createHmac } from 'node:crypto';
import { callBack } from '../callbacks.ts';
import { chargeEvent as flutterwaveEvent } from '../flutterwave/accounts.ts';
import { transactionEvent } from '../monnify/replies.ts';
import { accountEvent, chargeEvent } from '../paystack/replies.ts';
import { creditEvent } from '../payvessel/routes.ts';
import type { Bank, BankAccount, Transfer } from './bank.ts';

/** The banks that Oja has accounts at. */
export const BANKS = ['monnify', 'paystack', 'flutterwave', 'payvessel'] as const;

export type BankProvider = (typeof BANKS)[number];

const events = {
  monnify: transactionEvent,
  paystack: chargeEvent,
  flutterwave: flutterwaveEvent,
  payvessel: creditEvent,
} as const;

/**
 * How each signs the text of a notice, with the keys of the simulator's only accounts, which
 * protect nothing. Flutterwave sends the secret itself.
 */
const signatures: Readonly<Record<BankProvider, (text: string) => Readonly<Record<string, string>>>> = {
  monnify: (text) => ({ 'monnify-signature': sha512(text, 'simulator-monnify-secret') }),
  paystack: (text) => ({ 'x-paystack-signature': sha512(text, 'sk_test_simulator') }),
  flutterwave: () => ({ 'verif-hash': 'simulator-secret-hash' }),
  payvessel: (text) => ({ 'payvessel-http-signature': sha512(text, 'PVSECRET-simulator') }),
};

function sha512(text: string, key: string): string {
  return createHmac('sha512', key).update(text).digest('hex');
}

export type Notifier = {
  tellTransfer(bank: Bank, transfer: Transfer): void;
  /** When it is due: the account is open, or will never be opened. */
  tellAccount(account: BankAccount): void;
  close(): void;
};

/** `hooksUrl` without the provider's name; without it nothing is sent. */
export function openNotifier(hooksUrl: string | undefined): Notifier {
  const stop = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const send = (provider: BankProvider, body: Readonly<Record<string, unknown>>): void => {
    if (hooksUrl === undefined) return;
    void callBack(
      `${hooksUrl}/${provider}`,
      // Over the body as `callBack` writes it.
      {
        body,
        headers: signatures[provider](JSON.stringify(body)),
        isAccepted: async (response) => response.ok,
      },
      stop.signal,
    );
  };
  return {
    tellTransfer: (bank, transfer) => {
      send(transfer.provider, events[transfer.provider](bank, transfer));
    },
    tellAccount: (account) => {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          send(account.provider, accountEvent(account));
        },
        Math.max(0, account.readyAt.getTime() - Date.now()),
      );
      timers.add(timer);
    },
    close: () => {
      stop.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
