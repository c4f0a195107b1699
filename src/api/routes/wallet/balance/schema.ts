/** The parameters of a wallet's balance, and the balance. */
import { type Static, Type } from 'typebox';
import { answer } from '../../../plumbing/answer.ts';
import { currency } from '../../../plumbing/currency.ts';
import { words } from '../../../plumbing/fields.ts';

export const balanceQuery = Type.Object({ currency });

export const balanceAnswer = answer(
  'BalanceAnswer',
  'The wallet of the credential: test credentials see the test wallet.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      merchant_id: Type.Integer(),
      currency: Type.String(),
      balance: Type.String({ description: 'the balance of the wallet, reserved money included' }),
      billing_mode: words(['prepaid', 'postpaid'], {
        description: 'postpaid where credit_floor is below zero',
      }),
      credit_floor: Type.String({ description: 'how low the wallet may go' }),
      held: Type.String({ description: 'reserved for pending purchases' }),
      available: Type.String({ description: 'what can be spent now: balance less held less credit_floor' }),
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

export type BalanceAnswer = Static<typeof balanceAnswer>;
