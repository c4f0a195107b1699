/**
 * Reads the replies of `POST /merchant-verify`. Pure. A wrong number often has the code of success,
 * so the content is checked too. All its fields are optional, and billers spell them differently.
 */

import type { Customer } from '../../core/products/customer.ts';
import { unverified } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, fieldFinder, isBody, meterToken, naira, word } from '../http/reply-fields.ts';
import type { CustomerAnswer, CustomerQuery } from '../provider.ts';
import { meterKindOf } from './electricity.ts';

type Find = ReturnType<typeof fieldFinder>;

export function answerToVerification(query: CustomerQuery, result: CallResult): CustomerAnswer {
  if (result.kind !== 'reply') return unverified('no_answer', result.reason);
  const { status, body } = result;
  const code = isBody(body) ? word(body.code)?.padStart(3, '0') : undefined;
  if (status >= 500 || !isBody(body) || code === undefined) {
    return unverified(`http_${status}`, `HTTP ${status} without a usable answer`);
  }
  const text = word(body.response_description);
  const content: Body = isBody(body.content) ? body.content : {};
  switch (code) {
    case '000':
    case '020':
      return readContent(query, code, content);
    case '011':
      return rejected(code, word(content.error) ?? text);
    default:
      // 012 and refused access are our faults, 030 and 083 are temporary. None of them proves
      // anything about the customer.
      return unverified(code, text ?? 'not verified');
  }
}

function readContent(query: CustomerQuery, code: string, content: Body): CustomerAnswer {
  const find = fieldFinder(content);
  const error = word(find('error'));
  if (error !== undefined) return rejected(code, error);
  if (word(find('WrongBillersCode')) === 'true' || find('WrongBillersCode') === true) return rejected(code);
  if (/^no?$/i.test(word(find('Can_Vend')) ?? '')) {
    return rejected(code, 'The biller does not accept payments for this customer: contact the biller');
  }
  const wanted = meterKindOf(query);
  const kind = /prepaid|postpaid/i.exec(word(find('Meter_Type')) ?? '')?.[0].toLowerCase();
  if (wanted !== undefined && kind !== undefined && kind !== wanted) {
    return rejected(code, `The meter is ${kind}, the plan is ${wanted}`);
  }
  const facts = { ...meterFields(find), ...bouquetFields(find) };
  // Some meters without a name on record accept purchases: their other details count.
  const isNameless =
    query.product === 'ELECTRICITY' &&
    Object.hasOwn(content, 'Customer_Name') &&
    Object.keys(facts).length > 0;
  const name = word(find('Customer_Name')) ?? (isNameless ? '' : undefined);
  return name === undefined
    ? unverified(code, 'the biller returned no customer name')
    : { kind: 'verified', customer: { name, ...facts } };
}

function meterFields(find: Find): Omit<Customer, 'name'> {
  return present({
    address: word(find('Address')),
    // A meter that reports 0 has no limit.
    minAmount: aboveZero(naira(find('Min_Purchase_Amount')) || naira(find('Minimum_Amount'))),
    maxAmount: aboveZero(naira(find('MAX_Purchase_Amount'))),
    meterNumber: word(find('Meter_Number')),
    arrears: naira(find('Customer_Arrears', 'Outstanding')),
    accountType: word(find('Customer_Account_Type')),
    meterType: word(find('Meter_Type')),
    district: word(find('Customer_District', 'District')),
    businessUnit: word(find('Business_Unit')),
    districtReference: word(find('Customer_District_Reference')),
    tariff: word(find('Tariff')),
    kct1: meterToken(find('KCT1')),
    kct2: meterToken(find('KCT2')),
  });
}

function bouquetFields(find: Find): Omit<Customer, 'name'> {
  return present({
    currentBouquet: word(find('Current_Bouquet')),
    currentBouquetCode: word(find('Current_Bouquet_Code')),
    renewalAmount: aboveZero(naira(find('Renewal_Amount'))),
    dueDate: word(find('Due_Date')),
  });
}

function aboveZero(amount: bigint | undefined): bigint | undefined {
  return amount === 0n ? undefined : amount;
}

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Removes the fields without a value. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

function rejected(code: string, message = 'The biller does not know this customer'): CustomerAnswer {
  return { kind: 'rejected', code, message };
}
