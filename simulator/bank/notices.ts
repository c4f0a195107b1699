/**
 * The signed notices by which the simulated banks report transfers and accounts, sent until
 * they are accepted.
 */
import { createHmac } from 'node:crypto';
import { callBack } from '../callbacks.ts';
import { transactionEvent } from '../monnify/replies.ts';
import { accountEvent, chargeEvent } from '../paystack/replies.ts';
import type { Bank, BankAccount, Transfer } from './bank.ts';

export type BankProvider = 'monnify' | 'paystack';

/** The keys of the simulator's only accounts. They protect nothing. */
const secrets = { monnify: 'simulator-monnify-secret', paystack: 'sk_test_simulator' } as const;
const headers = { monnify: 'monnify-signature', paystack: 'x-paystack-signature' } as const;

export type Notifier = {
  tellTransfer(bank: Bank, transfer: Transfer): void;
  /** When it is due: the account is there, or will never be. */
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
      { body, headers: signatureOf(provider, body), isAccepted: async (response) => response.ok },
      stop.signal,
    );
  };
  return {
    tellTransfer: (bank, transfer) => {
      const event = transfer.provider === 'monnify' ? transactionEvent : chargeEvent;
      send(transfer.provider, event(bank, transfer));
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

/** Over the body as `callBack` writes it. */
function signatureOf(
  provider: BankProvider,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const digest = createHmac('sha512', secrets[provider]).update(JSON.stringify(body)).digest('hex');
  return { [headers[provider]]: digest };
}
