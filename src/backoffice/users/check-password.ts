/** Checks that a new password is long enough and hard to guess. Any characters are allowed. */
import { type PasswordFault, SignInError } from './sign-in-error.ts';

/**
 * Common stolen passwords of at least 15 characters, in lower case and without separators. Repeated
 * pieces and keyboard rows are detected without a list.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  `
  correcthorsebatterystaple correcthorsebattery thequickbrownfox thequickbrownfoxjumps
  thequickbrownfoxjumpsoverthelazydog passwordpassword password1password password12345678
  password123456789 password1234567890 passw0rdpassw0rd mypasswordismypassword thisismypassword
  thisisapassword thisisasecret thisismysecret itsasecretpassword donttellanyone letmeinletmein
  letmeinplease pleaseletmein pleaseletmein1 iloveyouforever iloveyousomuch iloveyouverymuch
  iloveyou1234567 ilovemyfamily1 ilovemymother12 jesuschristislord jesusislord1234 jesusismysaviour
  thankyoujesus123 godisgreat12345 godisgoodallthetime inthenameofjesus blessed1234567
  princessprincess sunshinesunshine footballfootball baseballbaseball basketball12345
  superman12345678 batman1234567890 qwertyuiop12345 qwertyuiop123456 qwertyuiop1234567
  qwertyuiop123456789 qwertyuiop1234567890 qwerty123456789 qwerty1234567890 asdfghjkl123456
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb
  zaq12wsxcde34rfv qazwsxedcrfvtgb qazwsxedcrfvtgbyhnujm q1w2e3r4t5y6u7i8 a1b2c3d4e5f6g7h8
  abc123abc123abc123 abcd1234abcd1234 admin1234567890 administrator123 administrator1234
  administratoradmin adminadminadmin rootrootrootroot changemechangeme changeme12345678
  welcome12345678 welcome123456789 welcometonigeria nigeria123456789 chelseachelsea1
  manchesterunited manchesterunited1 manchestercity1 arsenalfootballclub liverpoolfc12345
  youllneverwalkalone myspace123456789 linkedin12345678 facebook12345678 instagram1234567
  whatsapp12345678 trustno1trustno1 opensesameopen iamthebest12345 mynameismynameis
  oneringtorulethemall maytheforcebewithyou tobeornottobe tobeornottobethatisthequestion
  hellohellohello helloworld12345 goodmorning12345 summer2024summer2024 winter2024winter2024
  spring2025spring2025 monkeymonkeymonkey dragondragon123 shadowshadow1234 michaeljackson
  michaeljackson1 christianoronaldo cristianoronaldo cristianoronaldo7 leonelmessi1010
  `
    .trim()
    .split(/\s+/),
);

const LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 128;
const PRODUCT = 'oja';
/** Passwords with fewer distinct characters than this are easy to guess. */
const DIFFERENT_MIN = 5;
const OWN_WORD_LENGTH_MIN = 4;
/** The required length of a password without the owner's own words. */
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

/** Returns the text in lower case, without white space, punctuation and symbols. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\p{P}\p{S}]+/gu, '');
}

function isCommon(plain: string): boolean {
  if (commonPasswords.has(plain) || commonPasswords.has(plain.replace(/\d{1,4}$/, ''))) return true;
  if (new Set(plain).size < DIFFERENT_MIN) return true;
  // A repeated piece occurs in the doubled text before its end.
  if ((plain + plain).indexOf(plain, 1) <= plain.length / 2) return true;
  return isAlongRows(plain);
}

/** Whether the text consists of parts of keyboard rows or the alphabet, in either direction. */
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

/** Whether the password is mostly the owner's address or name, or the product's name. */
function hasTooMuchOfOwner(plain: string, { email, name }: Owner): boolean {
  const words = [email, ...email.split(/[^\p{L}\p{N}]+/u), name, ...name.split(/\s+/)]
    .map(plainOf)
    .filter((word) => word.length >= OWN_WORD_LENGTH_MIN);
  const guessed = [...words, PRODUCT].toSorted((a, b) => b.length - a.length);
  const rest = guessed.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest.length < plain.length && rest.length < REST_LENGTH_MIN;
}
