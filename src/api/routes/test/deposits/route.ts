/**
 * POST /v1/test/deposits: simulates a customer's transfer into a merchant's test funding account.
 */
import { formatAmount, parseAmount } from '../../../../core/money.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { readCurrency } from '../../../plumbing/currency.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { depositAnswer, depositBody } from './schema.ts';

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
    return goodsEnvelope('The transfer was played', {
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
