/**
 * Whether a password may be chosen: its length, and that it is none of those that are tried first.
 * There are no rules of which characters it must have.
 */
import { commonPasswords } from './common-passwords.ts';
import { type PasswordFault, SignInError } from './sign-in-error.ts';

const LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 128;
const PRODUCT = 'oja';
/** What is of fewer different characters is quickly tried. */
const DIFFERENT_MIN = 5;
const OWN_WORD_LENGTH_MIN = 4;
/** What is left of a password without the words that everybody can guess must be so long. */
const REST_LENGTH_MIN = 8;

const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklm',
];

type Owner = { readonly email: string; readonly name: string };

/** Throws SignInError `password_unfit`. */
export function requireFitPassword(password: string, owner: Owner): void {
  const reason = faultOf(password, owner);
  if (reason !== undefined) throw new SignInError({ code: 'password_unfit', reason });
}

function faultOf(password: string, owner: Owner): PasswordFault | undefined {
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < LENGTH_MIN) return 'short';
  if (length > PASSWORD_LENGTH_MAX) return 'long';
  const plain = plainOf(normal);
  if (isCommon(plain)) return 'common';
  return hasTooMuchOfOwner(plain, owner) ? 'personal' : undefined;
}

/** In small letters, without what stands between words. Other scripts stay as they are. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\p{P}\p{S}]+/gu, '');
}

function isCommon(plain: string): boolean {
  if (commonPasswords.has(plain) || commonPasswords.has(plain.replace(/\d{1,4}$/, ''))) return true;
  if (new Set(plain).size < DIFFERENT_MIN) return true;
  // One piece over and over: it is found again in itself, doubled, before its end.
  if ((plain + plain).indexOf(plain, 1) <= plain.length / 2) return true;
  return isAlongRows(plain);
}

/** Made of parts of the keyboard's rows, or of the alphabet, forwards or backwards. */
function isAlongRows(plain: string): boolean {
  const along = rows.flatMap((row) => [row + row, [...(row + row)].reverse().join('')]);
  let rest = plain;
  while (rest.length > 3) {
    const next = Array.from(rest, (_, index) => rest.slice(0, rest.length - index)).find(
      (piece) => piece.length > 3 && along.some((row) => row.includes(piece)),
    );
    if (next === undefined) return false;
    rest = rest.slice(next.length);
  }
  return true;
}

/** The owner's address and name, and the product's name, are words that everybody can guess. */
function hasTooMuchOfOwner(plain: string, { email, name }: Owner): boolean {
  const words = [email, ...email.split(/[^\p{L}\p{N}]+/u), name, ...name.split(/\s+/)]
    .map(plainOf)
    .filter((word) => word.length >= OWN_WORD_LENGTH_MIN);
  const guessed = [...words, PRODUCT].toSorted((a, b) => b.length - a.length);
  const rest = guessed.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest.length < plain.length && rest.length < REST_LENGTH_MIN;
}
