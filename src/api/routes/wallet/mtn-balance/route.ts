/** GET /v1/wallet/mtn/balance: the balances of the merchant's vending lines at MTN. */
import { type Static, Type } from 'typebox';
import { formatAmount } from '../../../../core/money.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { answer } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';

const mtnBalanceAnswer = answer(
  'MtnBalanceAnswer',
  'The vending lines at MTN; empty if MTN vending is not enabled.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      wallets: Type.Array(
        Type.Object({ phone: Type.String(), balance: Type.String(), client_name: Type.String() }),
      ),
      total: Type.String({ description: 'the sum of the balances' }),
    }),
  },
  {
    lines: {
      state: 'ok',
      result: {
        wallets: [{ phone: '2348031234567', balance: '4567.00', client_name: 'Mama Put Stores' }],
        total: '4567.00',
      },
    },
    not_enabled: { state: 'ok', result: { wallets: [], total: '0.00' } },
  },
);

type MtnBalanceAnswer = Static<typeof mtnBalanceAnswer>;

export function registerMtnBalanceRoute(
  api: Api,
  { mtnBalances }: Pick<ServerDependencies, 'mtnBalances'>,
): void {
  const schema = {
    operationId: 'getMtnBalance',
    summary: 'Look up the MTN vending lines',
    description:
      'The vending lines of the merchant at MTN, and the balance of each. Empty where MTN vending is not enabled.',
    tags: ['Wallet'],
    response: { 200: mtnBalanceAnswer },
    refusals: [{ code: 'mtn_balances_unknown' }, { code: 'provider_look_ups_full' }] as const,
  };
  api.get('/v1/wallet/mtn/balance', { schema }, async (request): Promise<MtnBalanceAnswer> => {
    const { merchant, environment } = principalOf(request);
    const lines = await mtnBalances.find({ merchantId: merchant.id, environment });
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
