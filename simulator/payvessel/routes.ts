/**
 * Payvessel's reserved accounts, and the payments into them. Traps: the same customer again gets
 * another account, there is no list, and every second notice has the form of older ones, without an
 * event.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bank, BankAccount, Transfer } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import { json, type Reply } from '../http.ts';
import { nairaText } from '../naira.ts';

const KEY = 'PVKEY-simulator';
const SECRET = 'PVSECRET-simulator';
const BUSINESS = 'SIMULATOR';
const SERVICE = 'CREATE_VIRTUAL_ACCOUNT';
/** The account of no customer. */
const UNKNOWN_BVN = '00000000000';

type Fields = Record<string, unknown>;

export const payvesselRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  const read = (work: () => Reply): Promise<Reply> => underFaults(bank, 'payvessel', 'requery', work);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    const secret = String(headers['api-secret'] ?? '').replace(/^Bearer /, '');
    if (headers['api-key'] === KEY && secret === SECRET) done();
    else reply.send(json({ error: 401, message: 'Unauthorized. Please check your API key.' }, 401));
  });
  app.post('/pms/api/external/request/customerReservedAccount/', ({ body }) =>
    underFaults(bank, 'payvessel', 'account', () => open(bank, body)),
  );
  app.get<{ Params: { readonly business: string; readonly number: string } }>(
    '/pms/api/external/request/virtual-account/:business/:number/',
    ({ params }) =>
      read(() => {
        const account = bank.findNumber(params.number);
        return account?.provider === 'payvessel' && params.business === BUSINESS
          ? json({ bankCode: '999991', ...accountFields(account), expire_date: null })
          : noSuch;
      }),
  );
  app.get<{ Params: { readonly reference: string } }>('/pms/transactions/:reference/confirm/', ({ params }) =>
    read(() => {
      const transfer = bank.findTransfer('payvessel', params.reference);
      return transfer === undefined ? noSuch : confirmed(bank, transfer);
    }),
  );
  app.setNotFoundHandler(() => noSuch);
};

const noSuch = json({ error: 404, message: 'Not found' }, 404);

async function open(bank: Bank, body: unknown): Promise<Reply> {
  const fields = (body ?? {}) as Fields;
  const text = (name: string): string => String(fields[name] ?? '');
  const codes = fields.bankcode;
  const errors: Record<string, string[]> = {
    ...(!Array.isArray(codes) || codes.length === 0
      ? { bankcode: ['At least one partner bank code is required'] }
      : {}),
    ...(text('businessid') === BUSINESS ? {} : { businessid: ['Invalid business'] }),
    ...(text('email').includes('@') ? {} : { email: ['Enter a valid email address'] }),
    // It quotes the request.
    ...(/^\d{11}$/.test(text('bvn')) && text('bvn') !== UNKNOWN_BVN
      ? {}
      : { bvn: [`BVN ${text('bvn')} does not match ${text('name')}`] }),
  };
  if (Object.keys(errors).length > 0) {
    return json({ status: false, service: SERVICE, message: 'Invalid payload', errors }, 400);
  }
  const account = await bank.openAccount({
    provider: 'payvessel',
    key: randomUUID(),
    name: text('name'),
    email: text('email'),
    bvn: text('bvn'),
    readyAt: new Date(),
    failed: false,
  });
  const banks = [accountFields(account)];
  return json({ status: true, service: SERVICE, business: BUSINESS, banks }, 201);
}

function accountFields(account: BankAccount): Fields {
  return {
    bankName: 'PalmPay',
    accountNumber: account.number,
    accountName: `Payvessel-${account.name}`,
    account_type: 'STATIC',
    expire_date: account.readyAt.toISOString(),
    trackingReference: account.key,
  };
}

/** 1 %, at most 300 naira. */
function feeOf({ amount }: Transfer): bigint {
  const share = amount / 100n;
  return share < 30_000n ? share : 30_000n;
}

function confirmed(bank: Bank, transfer: Transfer): Reply {
  const account = bank.findNumber(transfer.accountNumber);
  const order = { currency: 'NGN', channels: 'BANK_TRANSFER', customer_email: account?.email ?? '' };
  const at = transfer.at.toISOString().slice(0, -1);
  return json({
    status: true,
    message: 'Transaction retrieved',
    data: {
      id: randomUUID(),
      transaction_ref: transfer.reference,
      amount: nairaText(transfer.amount),
      fee: nairaText(feeOf(transfer)),
      status: 'SUCCESS',
      transaction_type: 'CREDIT',
      channel: 'BANK_TRANSFER',
      order,
      virtual_account: {
        bank_code: '999991',
        bank_name: 'PalmPay',
        account_number: transfer.accountNumber,
        account_name: account?.name ?? 'UNKNOWN',
        account_type: 'STATIC',
        tracking_reference: account?.key ?? '',
      },
      created_datetime: at,
      updated_datetime: at,
    },
  });
}

export function creditEvent(bank: Bank, transfer: Transfer): Fields {
  const fee = feeOf(transfer);
  const order = {
    amount: nairaText(transfer.amount),
    settlement_amount: nairaText(transfer.amount - fee),
    fee: nairaText(fee),
    description: 'SIMULATED PAYER',
  };
  const { reference, accountNumber } = transfer;
  const isOld = Number.parseInt(reference.slice(-1), 16) % 2 === 0;
  return isOld
    ? {
        transaction: { date: transfer.at.toISOString(), reference },
        order,
        customer: { email: bank.findNumber(accountNumber)?.email ?? '' },
        virtualAccount: { virtualAccountNumber: accountNumber, virtualBank: '999991' },
        sender: { senderName: 'SIMULATED PAYER' },
      }
    : {
        event: 'reserved_account.credit',
        order: { ...order, currency: 'NGN', status: 'completed' },
        transaction: {
          reference,
          channel: 'bank_transfer',
          status: 'success',
          paid_at: transfer.at.toISOString(),
        },
        metadata: {},
      };
}
