/** GET /v1/wallet/balance: what is on the wallet of the credential's environment, and what of it can be spent. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { GatewayError } from '../../../kernel/errors.ts';
import { formatAmount } from '../../../kernel/money.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { balanceAnswer } from '../../plumbing/answers.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { balanceQuery } from '../../plumbing/schemas.ts';

export function registerBalanceRoute(
  app: FastifyInstance,
  { balance }: Pick<ServerDependencies, 'balance'>,
): void {
  const schema = {
    summary: 'Look up the wallet',
    tags: ['Wallet'],
    querystring: balanceQuery,
    response: { 200: balanceAnswer, ...refusalAnswers(400, 404) },
  };
  app.get<{ Querystring: Static<typeof balanceQuery> }>('/v1/wallet/balance', { schema }, async (request) => {
    const caller = callerOf(request);
    const { currency = 'NGN' } = request.query;
    const wallet = await balance(caller, currency);
    if (wallet === undefined) throw new GatewayError('not_found', `No ${currency} wallet is enrolled`);
    return {
      state: 'ok',
      result: {
        merchant_id: caller.merchant.id,
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
