/** The balances of vending lines at MTN. */
import { type Static, Type } from 'typebox';
import { answer } from '../../../plumbing/answer.ts';

export const mtnBalanceAnswer = answer(
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

export type MtnBalanceAnswer = Static<typeof mtnBalanceAnswer>;
