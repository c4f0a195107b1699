/**
 * What this edge refuses, with its statuses and words. Nothing of it says whether a user exists.
 */
import type { SignInFault } from '../users/sign-in-error.ts';

export type ErrorBody = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Why a password does not do. */
    readonly reason?: string;
    /** The first of `fields`. */
    readonly field?: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
};

/** A refusal in the words of this edge. */
export class ConsoleRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterS: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export function errorBody(code: string, message: string): ErrorBody {
  return { error: { code, message } };
}

const unfit: Readonly<Record<(SignInFault & { code: 'password_unfit' })['reason'], string>> = {
  short: 'The password must have 15 characters or more: a few words will do',
  long: 'The password must have 128 characters at most',
  common: 'The password is one of those that are tried first: choose another',
  personal: 'The password is hardly more than your name or address: choose another',
};

type Words = {
  readonly [Code in SignInFault['code']]: (
    fault: SignInFault & { readonly code: Code },
  ) => readonly [status: number, message: string];
};

const words: Words = {
  sign_in_refused: () => [401, 'That is not right. Check what you typed, and try again'],
  too_many_tries: ({ retryAfterS }) => [429, `Too many tries: wait ${retryAfterS} seconds`],
  signed_out: () => [401, 'You are signed out: sign in'],
  second_factor_needed: () => [401, 'The second factor is still to come'],
  step_up_needed: () => [403, 'Give your password once more'],
  link_over: () => [404, 'This link was used, has run out, or never was one: ask for another'],
  password_unfit: ({ reason }) => [400, unfit[reason]],
  second_factor_last: () => [409, 'It is your only second factor: add another one first'],
  too_many_passkeys: ({ max }) => [409, `There are ${max} passkeys, which is the most: remove one first`],
  no_passkey: () => [404, 'There is no such passkey'],
};

export function signInWords<Code extends SignInFault['code']>(
  fault: SignInFault & { readonly code: Code },
): readonly [status: number, message: string] {
  const word: Words[Code] = words[fault.code];
  return word(fault);
}
