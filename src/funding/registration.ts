/** The registration of a merchant for a funding account, and its required fields. Pure. */
import { GatewayError, refuseFaults } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Principal } from '../merchants/merchant.ts';

export type IdDocument = {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';
  readonly bytes: Buffer;
};

/** Personal data: never logged or quoted. */
export type PersonalFields = {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly bvn?: string;
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string;
};

/** The owner of the account. */
export type Registrant = Pick<Principal, 'environment'> & {
  readonly merchant: Pick<Principal['merchant'], 'id' | 'code' | 'wallets'>;
};

export type Registration = {
  readonly currency: Currency;
  readonly fields: PersonalFields;
  readonly document: IdDocument | undefined;
};

/** The required fields of a first registration. */
const required = ['email', 'firstName', 'lastName', 'phone'] as const;

export type RegisteredFields = PersonalFields & Readonly<Record<(typeof required)[number], string>>;

/**
 * Completes the sent fields by those of an earlier registration. Throws GatewayError
 * `registrant_missing` for every required field that is missing, and for the BVN in naira.
 */
export function completeRegistration(
  { currency, fields }: Pick<Registration, 'currency' | 'fields'>,
  known: PersonalFields | undefined,
): RegisteredFields {
  const complete: PersonalFields = { ...known, ...fields };
  const roles = currency === 'NGN' ? [...required, 'bvn' as const] : required;
  refuseFaults(
    roles
      .filter((role) => complete[role] === undefined)
      .map((role) => ({ code: 'registrant_missing', role })),
  );
  return complete as RegisteredFields;
}

const ADULT_YEARS = 18;
const OLDEST_YEARS = 120;

/** Throws GatewayError `not_an_adult`. The day itself has been validated. */
export function checkBirthday(birthday: string | undefined, now: Date): void {
  if (birthday === undefined) return;
  const today = now.toISOString().slice(0, 10);
  const yearsAgo = (years: number): string => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`;
  if (birthday > yearsAgo(ADULT_YEARS) || birthday < yearsAgo(OLDEST_YEARS)) {
    throw new GatewayError({ code: 'not_an_adult' });
  }
}
