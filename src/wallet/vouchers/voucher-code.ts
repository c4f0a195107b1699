/**
 * Codes of vouchers: 75 random bits and a check character, in an alphabet without letters that look
 * like digits. A code is as good as money and is never stored: only a keyed hash is, which is
 * useless without the server's pepper. With this many bits, guessing is hopeless at any permitted
 * rate.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { Environment } from '../../core/environment.ts';

/** Crockford's base 32. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 16;
const GROUP = 4;
const HINT = 4;

/** 16 characters, without the hyphens that `showVoucherCode` puts in. */
export function newVoucherCode(random: (bytes: number) => Buffer = randomBytes): string {
  const body = [...random(CHARACTERS - 1)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return body + checkCharacter(body);
}

/** `4F7K-9QXM-2D8H-B3TG` */
export function showVoucherCode(code: string): string {
  return code.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? code;
}

/** The last characters: enough to tell vouchers apart, but not to redeem one. */
export function hintOfCode(code: string): string {
  return code.slice(-HINT);
}

/**
 * The canonical code of typed text: in any letter case, with hyphens and spaces anywhere, O for 0,
 * I and L for 1. Undefined for an impossible code: any one wrong character is detected, and nearly
 * any two swapped ones.
 */
export function readVoucherCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (code.length !== CHARACTERS || [...code].some((character) => !alphabet.includes(character)))
    return undefined;
  return checkCharacter(code.slice(0, -1)) === code.slice(-1) ? code : undefined;
}

/** HMAC-SHA-256 under the pepper of credentials: 32 bytes, different in each environment. */
export function hashVoucherCode(pepper: KeyObject, environment: Environment, code: string): Buffer {
  return createHmac('sha256', pepper).update(`voucher/${environment}/${code}`).digest();
}

/** Luhn's sum in base 32. */
function checkCharacter(body: string): string {
  const base = alphabet.length;
  const sum = [...body].reverse().reduce((total, character, index) => {
    const value = alphabet.indexOf(character) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / base) + (value % base);
  }, 0);
  return alphabet.charAt((base - (sum % base)) % base);
}
