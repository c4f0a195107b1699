/**
 * GET /v1/wallet/balance: the balance of the wallet of the credential's environment, and how much
 * of it can be spent.
 */

import { GatewayError } from '../../../../core/errors.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { readCurrency } from '../../../plumbing/currency.ts';
import { type BalanceAnswer, balanceAnswer, balanceQuery } from './schema.ts';

export function registerBalanceRoute(api: Api, { wallets }: Pick<ServerDependencies, 'wallets'>): void {
  const schema = {
    operationId: 'getWalletBalance',
    summary: 'Look up the wallet',
    description: 'What is on the wallet of the environment of the credential, and what of it can be spent.',
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
