/**
 * Bills through the public interface: valid purchases and verifications to vary, customers, and the
 * provider's calls.
 */
import { request } from 'undici';
import { runOja } from '../cli/harness.ts';
import type { Answer, CallOptions, Gateway } from '../support/gateway.ts';
import { anyProduct, type Fields, merchantCode, newReference } from './gateway-under-test.ts';

export const verifyPath = '/v1/transactions/verify';

export const testMeter = '10000000001';
export const testPostpaidMeter = '10000000002';
export const testKeyChangeMeter = '10000000003';
export const testDebtMeter = '10000000004';
export const testSmartcards = { DSTV: '10000000010', GOTV: '10000000020', STARTIMES: '10000000030' } as const;
export const testBettingId = 'TESTBET001';

type Bill = Record<string, unknown>;

/** A valid purchase of prepaid electricity. `fields` override its fields. */
export function electricity(fields: Fields = {}): Bill {
  return {
    merchant: merchantCode(),
    product: 'ELECTRICITY',
    network: 'Ikeja Electric',
    msisdn: testMeter,
    plan_code: '2001',
    amount: '5000.00',
    request_ref: newReference(),
    ...fields,
  };
}

/** Postpaid. */
export function postpaid(fields: Fields = {}): Bill {
  return electricity({ msisdn: testPostpaidMeter, plan_code: '2002', ...fields });
}

/** A valid purchase of the bouquet DStv Padi. `fields` override its fields. */
export function cable(fields: Fields = {}): Bill {
  return electricity({
    product: 'CABLE',
    network: 'DSTV',
    msisdn: testSmartcards.DSTV,
    plan_code: '2101',
    amount: '4400.00',
    ...fields,
  });
}

/** A valid deposit at Bet9ja. `fields` override its fields. */
export function betting(fields: Fields = {}): Bill {
  return electricity({
    product: 'BETTING',
    network: 'BET9JA',
    msisdn: testBettingId,
    plan_code: '2201',
    amount: '500.00',
    phone: '08031234567',
    ...fields,
  });
}

/** The verification that belongs to a purchase. */
export function verificationOf(bill: Bill, fields: Fields = {}): Bill {
  const { amount: _amount, request_ref: _reference, phone: _phone, ...rest } = bill;
  return { ...rest, ...fields };
}

export function buy(gateway: Gateway, body: unknown, as?: CallOptions['as']): Promise<Answer> {
  return gateway.call('POST', anyProduct, as === undefined ? { body } : { as, body });
}

export function verify(gateway: Gateway, body: unknown, as?: CallOptions['as']): Promise<Answer> {
  return gateway.call('POST', verifyPath, as === undefined ? { body } : { as, body });
}

let meters = 0;

/** A meter, or a smartcard, that no other test of the file uses; known to the simulated billers. */
export function newMeter(): string {
  meters += 1;
  return String(45_000_000_001 + meters * 10);
}

/** How often each rule of the simulator that names this recipient was applied. */
export async function strikesOn(gateway: Gateway, recipient: string): Promise<readonly number[]> {
  const answer = await request(`${gateway.simulatorUrl}/faults`);
  const { rules } = (await answer.body.json()) as { rules: { recipient?: string; hits: number }[] };
  return rules.filter((rule) => rule.recipient === recipient).map((rule) => rule.hits);
}

/** The attempts of a purchase and the answers to each, in order. */
export async function attemptsOf(gateway: Gateway, id: unknown): Promise<readonly string[]> {
  const rows = await gateway.database.query<{ line: string }>(
    `select concat_ws(' ', a.provider, '(' || a.reason || ')', string_agg(p.kind, ' ' order by p.at)) as line
     from attempts a
     left join provider_answers p on p.purchase_id = a.purchase_id and p.attempt = a.number
     where a.purchase_id = $1
     group by a.number, a.provider, a.reason
     order by a.number`,
    [id],
  );
  return rows.map((row) => row.line);
}

/** The output of the operator's command. */
export async function oja(gateway: Gateway, ...args: readonly string[]): Promise<string> {
  const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
  const { code, out, err } = await runOja(settings, args);
  if (code !== 0) throw new Error(`oja ${args.join(' ')}: ${err}`);
  return out;
}
