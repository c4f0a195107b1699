/** GET /v1/wallet/mtn/balance: what the merchant's vending lines at MTN have. */
import type { FastifyInstance } from 'fastify';
import { formatAmount } from '../../../kernel/money.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { mtnBalanceAnswer } from '../../plumbing/answers.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

export function registerMtnBalanceRoute(
  app: FastifyInstance,
  { mtnBalances }: Pick<ServerDependencies, 'mtnBalances'>,
): void {
  const schema = {
    summary: 'Look up the MTN vending lines',
    tags: ['Wallet'],
    response: { 200: mtnBalanceAnswer, ...refusalAnswers(400, 502) },
  };
  app.get('/v1/wallet/mtn/balance', { schema }, async (request) => {
    const lines = await mtnBalances(callerOf(request));
    return {
      state: 'ok',
      result: {
        wallets: lines.map(({ phone, clientName, balance }) => ({
          phone,
          balance: formatAmount(balance),
          client_name: clientName,
        })),
        total: formatAmount(lines.reduce((sum, { balance }) => sum + balance, 0n)),
      },
    };
  });
}
