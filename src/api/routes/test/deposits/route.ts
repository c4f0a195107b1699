/**
 * POST /v1/test/deposits: simulates a customer's transfer into a merchant's test funding account.
 */
import { Type } from 'typebox';
import { formatAmount, parseAmount } from '../../../../core/money.ts';
import { nullable } from '../../../../core/nullable.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { currency, readCurrency } from '../../../plumbing/currency.ts';
import { bodyOptions, cleanText, text, words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';

const depositBody = Type.Object(
  {
    amount: text('the amount of the transfer, as a string such as "5000.00", above zero', {
      format: 'naira-amount',
      examples: ['5000.00'],
    }),
    currency,
    reference: Type.Optional(
      text(
        `your own key for the transfer, 1 to 60 characters ${cleanText}; the same again is credited once`,
        {
          format: 'clean-text',
          maxLength: 60,
          examples: ['transfer-1'],
        },
      ),
    ),
  },
  {
    ...bodyOptions,
    title: 'TestDepositBody',
    'x-examples': {
      transfer: { amount: '5000.00' },
      once: { amount: '5000.00', reference: 'transfer-1' },
    },
  },
);

const creditedOnly = (description: string) =>
  nullable(Type.String(), { description: `${description}; null while pending` });

const depositAnswer = goodsAnswer(
  'TestDepositAnswer',
  'The transfer was simulated. `deposit.credited` reports it, and the statement contains it.',
  Type.Object({
    deposit_id: creditedOnly('as in the event and the statement'),
    state: words(['credited', 'pending'], { description: 'pending: it is credited within a minute' }),
    account_number: Type.String({ description: 'the test funding account that was paid into' }),
    bank_reference: Type.String({ description: "the bank's own reference of the transfer" }),
    currency: Type.String(),
    amount: Type.String({ description: 'the amount of the transfer' }),
    fee: creditedOnly('the convenience fee'),
    credited: creditedOnly('the amount credited to the wallet'),
  }),
  {
    credited: goodsEnvelope('The transfer was simulated', {
      deposit_id: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
      state: 'credited',
      account_number: '9912345678',
      bank_reference: 'SBX-7-transfer-1',
      currency: 'NGN',
      amount: '5000.00',
      fee: '100.00',
      credited: '4900.00',
    }),
  },
);

export function registerTestDepositRoute(api: Api, { funding }: Pick<ServerDependencies, 'funding'>): void {
  const schema = {
    operationId: 'createTestDeposit',
    summary: "Play a customer's transfer",
    description:
      'Into your test funding account of the currency, which is opened where there is none. The deposit takes the way of a real one: read back from the bank, lessened by the fee, credited once, told as `deposit.credited`.',
    tags: ['Test'],
    body: depositBody,
    response: { 200: depositAnswer },
    refusals: [
      { code: 'test_credentials_only' },
      { code: 'no_wallet', currency: 'USD' },
      { code: 'no_bank', currency: 'NGN' },
      { code: 'test_deposit_differs', reference: 'transfer-1' },
    ] as const,
  };
  api.post('/v1/test/deposits', { schema }, async (request) => {
    const { amount: sent, currency: named, reference } = request.body;
    const currency = readCurrency(named);
    const amount = parseAmount(sent) ?? 0n;
    const played = await funding.playDeposit(principalOf(request), { currency, amount, reference });
    const { deposit } = played;
    return goodsEnvelope('The transfer was simulated', {
      deposit_id: deposit?.id ?? null,
      state: deposit === undefined ? 'pending' : 'credited',
      account_number: played.accountNumber,
      bank_reference: played.reference,
      currency,
      amount: formatAmount(amount),
      fee: deposit === undefined ? null : formatAmount(deposit.fee),
      credited: deposit === undefined ? null : formatAmount(deposit.gross - deposit.fee),
    });
  });
}
