/** Reads the replies of `POST /verify-customer`. Pure. */
import type { Customer } from '../../core/products/customer.ts';
import { unverified } from '../answers.ts';
import { fieldFinder, isBody, naira, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { CustomerAnswer } from '../provider.ts';

export function answerToVerification(result: TokenedResult): CustomerAnswer {
  if (result.kind !== 'reply') return unverified('no_answer', result.reason);
  const { status, body } = result;
  const code = isBody(body) ? word(body.code) : undefined;
  if (!isBody(body) || code === undefined) {
    return unverified(`http_${status}`, `HTTP ${status} without a usable answer`);
  }
  const text = word(body.message) ?? 'The biller does not know this customer';
  // Every other refusal is about our call or our account.
  if (code === 'failure' && status === 400) return { kind: 'rejected', code, message: text };
  const customer = code === 'success' && status < 300 ? readCustomer(body.data) : undefined;
  return customer === undefined ? unverified(code, text) : { kind: 'verified', customer };
}

function readCustomer(data: unknown): Customer | undefined {
  if (!isBody(data)) return undefined;
  const find = fieldFinder(data);
  const name = word(find('customer_name'));
  if (name === undefined) return undefined;
  const facts = {
    username: word(find('customer_username')),
    address: word(find('customer_address')),
    // 0 is no limit.
    minAmount: aboveZero(naira(find('min_purchase_amount', 'minimum_amount'))),
    maxAmount: aboveZero(naira(find('max_purchase_amount', 'maximum_amount'))),
    meterNumber: word(find('meter_number')),
    arrears: naira(find('customer_arrears', 'outstanding')),
    currentBouquet: word(find('current_bouquet')),
    renewalAmount: aboveZero(naira(find('renewal_amount'))),
    dueDate: word(find('due_date')),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { name, ...Object.fromEntries(known) };
}

function aboveZero(amount: bigint | undefined): bigint | undefined {
  return amount === 0n ? undefined : amount;
}
