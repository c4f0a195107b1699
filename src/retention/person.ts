/**
 * Whom data is held on, from what an operator typed: a mobile number, an e-mail address, or another
 * number or name that a purchase was for. Pure.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { isEmail } from '../kernel/email.ts';
import { localForm, parseMobileNumber } from '../products/mobile-number.ts';

export type Person = {
  /** What purchases may be for, in the spellings that are stored. */
  readonly recipients: readonly string[];
  /** International digits. */
  readonly phone: string | undefined;
  /** In lower case. */
  readonly email: string | undefined;
  /** As it was typed, without blanks around. */
  readonly typed: string;
};

const SHORTEST = 4;

/** Undefined where the text is too short to be anybody's. */
export function readPerson(text: string): Person | undefined {
  const typed = text.trim();
  if (typed.includes('@')) {
    // Some customers of billers go by such a name.
    return isEmail(typed)
      ? { recipients: [typed], phone: undefined, email: typed.toLowerCase(), typed }
      : undefined;
  }
  if (typed.length < SHORTEST) return undefined;
  const phone = parseMobileNumber(typed.replaceAll(/[ -]/g, ''));
  const recipients = phone === undefined ? [typed] : [...new Set([phone, localForm(phone), typed])];
  return { recipients, phone, email: undefined, typed };
}

/** Enough to see which act was meant, and too little to know the person by. */
export function maskPerson({ phone, email, typed }: Person): string {
  if (phone !== undefined) return `${localForm(phone).slice(0, 4)}*******`;
  if (email !== undefined) return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
  return '*'.repeat(typed.length);
}

/** By which whoever knows the person, and has the gateway's key, recognizes the act. */
export function fingerprintOf(pepper: KeyObject, { phone, email, typed }: Person): string {
  const canonical = phone ?? email ?? typed;
  return createHmac('sha256', pepper).update(`person/${canonical}`).digest('hex').slice(0, 32);
}
