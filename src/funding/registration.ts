/**
 * What a merchant sends to have a funding account, and what must be known of it before a bank is
 * asked. Pure.
 */
import { type FieldFault, GatewayError, invalidField } from '../kernel/errors.ts';
import type { Currency } from '../kernel/money.ts';

export type IdDocument = {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';
  readonly bytes: Buffer;
};

/** People's data: none of it is logged or quoted. */
export type PersonalFields = {
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone_number?: string;
  readonly bvn?: string;
  /** `YYYY-MM-DD` */
  readonly date_of_birth?: string;
};

export type Registration = {
  readonly currency: Currency;
  readonly fields: PersonalFields;
  readonly document: IdDocument | undefined;
};

export type RegisteredFields = PersonalFields &
  Readonly<Record<'email' | 'first_name' | 'last_name' | 'phone_number', string>>;

const wanted = {
  email: 'email is required: an e-mail address',
  first_name: 'first_name is required: the first name of the account holder',
  last_name: 'last_name is required: the last name of the account holder',
  phone_number: 'phone_number is required: a phone number such as "08031234567"',
} as const;

/**
 * All that is known of the merchant: what it sent, and for the rest what it registered with before.
 * Throws GatewayError `missing` naming every field that a first registration wants, and the BVN for
 * naira.
 */
export function completeRegistration(
  { currency, fields }: Pick<Registration, 'currency' | 'fields'>,
  known: PersonalFields | undefined,
): RegisteredFields {
  const complete: PersonalFields = { ...known, ...fields };
  const faults: FieldFault[] = (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((field) => complete[field] === undefined)
    .map((field) => ({ field, message: wanted[field] }));
  if (currency === 'NGN' && complete.bvn === undefined) {
    faults.push({ field: 'bvn', message: 'bvn is required for NGN: the 11 digits of a BVN, as a string' });
  }
  if (faults.length > 0) {
    throw new GatewayError('missing', faults.map((fault) => fault.message).join('; '), { faults });
  }
  return complete as RegisteredFields;
}

const ADULT_YEARS = 18;
const OLDEST_YEARS = 120;

/**
 * Throws GatewayError `invalid` for a day that is no adult's birthday. The form and the calendar
 * are checked already.
 */
export function judgeBirthday(birthday: string | undefined, now: Date): void {
  if (birthday === undefined) return;
  const today = now.toISOString().slice(0, 10);
  const yearsAgo = (years: number): string => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`;
  if (birthday > yearsAgo(ADULT_YEARS) || birthday < yearsAgo(OLDEST_YEARS)) {
    throw invalidField('date_of_birth', 'date_of_birth must be that of an adult, as "YYYY-MM-DD"');
  }
}
