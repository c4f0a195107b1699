/**
 * What a merchant sends to have a funding account, and what must be known of it before a bank is
 * asked. Pure.
 */
import { GatewayError, refuseFaults } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Principal } from '../merchants/merchant.ts';

export type IdDocument = {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';
  readonly bytes: Buffer;
};

/** People's data: none of it is logged or quoted. */
export type PersonalFields = {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly bvn?: string;
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string;
};

/** Whose account it is. */
export type Registrant = Pick<Principal, 'environment'> & {
  readonly merchant: Pick<Principal['merchant'], 'id' | 'code' | 'wallets'>;
};

export type Registration = {
  readonly currency: Currency;
  readonly fields: PersonalFields;
  readonly document: IdDocument | undefined;
};

/** What every first registration wants. */
const wanted = ['email', 'firstName', 'lastName', 'phone'] as const;

export type RegisteredFields = PersonalFields & Readonly<Record<(typeof wanted)[number], string>>;

/**
 * All that is known of the merchant: what it sent, and for the rest what it registered with before.
 * Throws GatewayError `registrant_missing` for every field that a first registration wants, and for
 * the BVN where it is for naira.
 */
export function completeRegistration(
  { currency, fields }: Pick<Registration, 'currency' | 'fields'>,
  known: PersonalFields | undefined,
): RegisteredFields {
  const complete: PersonalFields = { ...known, ...fields };
  const roles = currency === 'NGN' ? [...wanted, 'bvn' as const] : wanted;
  refuseFaults(
    roles
      .filter((role) => complete[role] === undefined)
      .map((role) => ({ code: 'registrant_missing', role })),
  );
  return complete as RegisteredFields;
}

const ADULT_YEARS = 18;
const OLDEST_YEARS = 120;

/**
 * Throws GatewayError `not_an_adult`. The form of the day and the calendar are checked already.
 */
export function checkBirthday(birthday: string | undefined, now: Date): void {
  if (birthday === undefined) return;
  const today = now.toISOString().slice(0, 10);
  const yearsAgo = (years: number): string => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`;
  if (birthday > yearsAgo(ADULT_YEARS) || birthday < yearsAgo(OLDEST_YEARS)) {
    throw new GatewayError({ code: 'not_an_adult' });
  }
}
