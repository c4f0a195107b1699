/** The wallet: its balance, its statement, and the bank account that tops it up. */
import { call } from '../call.ts';
import {
  type BalanceAnswer,
  type FundingAccountAnswer,
  type FundingAccountBody,
  type MtnBalanceAnswer,
  type Operations,
  operations,
  type StatementAnswer,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { type Paged, paged } from '../pages.ts';

export type StatementQuery = Omit<NonNullable<Operations['getWalletStatement']['query']>, 'format'>;
export type StatementLine = StatementAnswer['result']['items'][number];
/** With an identity document, as JPEG, PNG, WebP or PDF of at most 5 MB. */
export type FundingAccountInput = FundingAccountBody & { readonly id_card?: Blob };

type Currency = { readonly currency?: string };

export type WalletMethods = {
  balance(query?: Currency, options?: CallOptions): Promise<BalanceAnswer>;
  mtnBalance(options?: CallOptions): Promise<MtnBalanceAnswer>;
  /** Oldest first. */
  statement(query?: StatementQuery, options?: CallOptions): Paged<StatementAnswer, StatementLine>;
  fundingAccount(query?: Currency, options?: CallOptions): Promise<FundingAccountAnswer>;
  /** One for each currency: later calls return the existing one. */
  createFundingAccount(input: FundingAccountInput, options?: CallOptions): Promise<FundingAccountAnswer>;
};

export function walletMethods(settings: Settings): WalletMethods {
  return {
    balance: (query, options) =>
      call(settings, 'look_up', { ...operations.getWalletBalance, query }, options),
    mtnBalance: (options) => call(settings, 'look_up', operations.getMtnBalance, options),
    statement: (query = {}, options) =>
      paged({
        read: (cursor) => {
          const page = cursor === undefined ? query : { ...query, cursor };
          return call(settings, 'look_up', { ...operations.getWalletStatement, query: page }, options);
        },
        items: ({ result }: StatementAnswer) => result.items,
        next: ({ result }) => result.next_cursor,
      }),
    fundingAccount: (query, options) =>
      call(settings, 'look_up', { ...operations.getFundingAccount, query }, options),
    createFundingAccount: (input, options) => {
      const body = input.id_card === undefined ? input : formOf(input);
      return call(settings, 'look_up', { ...operations.createFundingAccount, body }, options);
    },
  };
}

function formOf(input: FundingAccountInput): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(input)) {
    if (value !== null && value !== undefined) form.append(name, value);
  }
  return form;
}
