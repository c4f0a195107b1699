/**
 * GET /v1/wallet/balance: the balance of the wallet of the credential's environment, and how much
 * of it can be spent.
 */
import { type Static, Type } from 'typebox';
import { GatewayError } from '../../../../core/errors.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { answer } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { currency, readCurrency } from '../../../plumbing/currency.ts';
import { words } from '../../../plumbing/fields.ts';

const balanceQuery = Type.Object({ currency });

const balanceAnswer = answer(
  'BalanceAnswer',
  'The wallet of the credential: test credentials see the test wallet.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      merchant_id: Type.Integer(),
      currency: Type.String(),
      balance: Type.String({ description: 'the balance of the wallet, including reserved money' }),
      billing_mode: words(['prepaid', 'postpaid'], {
        description: 'postpaid where credit_floor is below zero',
      }),
      credit_floor: Type.String({ description: 'the lowest allowed balance of the wallet' }),
      held: Type.String({ description: 'reserved for pending purchases' }),
      available: Type.String({ description: 'the available amount: balance less held less credit_floor' }),
    }),
  },
  {
    prepaid: balanceExample({ billing_mode: 'prepaid', credit_floor: '0.00', available: '249900.00' }),
    postpaid: balanceExample({
      billing_mode: 'postpaid',
      credit_floor: '-500000.00',
      available: '749900.00',
    }),
  },
);

function balanceExample(of: Readonly<Record<string, string>>): object {
  return {
    state: 'ok',
    result: { merchant_id: 1, currency: 'NGN', balance: '250000.00', held: '100.00', ...of },
  };
}

type BalanceAnswer = Static<typeof balanceAnswer>;

export function registerBalanceRoute(api: Api, { wallets }: Pick<ServerDependencies, 'wallets'>): void {
  const schema = {
    operationId: 'getWalletBalance',
    summary: 'Look up the wallet',
    description:
      'The balance of the wallet in the environment of the credential, and the available part of it.',
    tags: ['Wallet'],
    querystring: balanceQuery,
    response: { 200: balanceAnswer },
    refusals: [{ code: 'no_wallet', currency: 'USD' }] as const,
  };
  api.get('/v1/wallet/balance', { schema }, async (request): Promise<BalanceAnswer> => {
    const principal = principalOf(request);
    const currency = readCurrency(request.query.currency);
    const wallet = await wallets.balance(principal, currency);
    if (wallet === undefined) throw new GatewayError({ code: 'no_wallet', currency });
    return {
      state: 'ok',
      result: {
        merchant_id: principal.merchant.id,
        currency,
        balance: formatAmount(wallet.posted),
        billing_mode: wallet.floor >= 0n ? 'prepaid' : 'postpaid',
        credit_floor: formatAmount(wallet.floor),
        held: formatAmount(wallet.held),
        available: formatAmount(wallet.posted - wallet.held - wallet.floor),
      },
    };
  });
}
