/** Errors of signing in. Each interface has its own messages. */

export type SignInFault =
  /** The credentials are wrong. The error does not reveal which, or whether the user exists. */
  | { readonly code: 'sign_in_refused' }
  | { readonly code: 'too_many_tries'; readonly retryAfterS: number }
  /** There is no session, or it has ended. */
  | { readonly code: 'signed_out' }
  /** The second factor is missing. */
  | { readonly code: 'second_factor_needed' }
  | { readonly code: 'step_up_needed' }
  /** The link was used, has expired, or never existed. */
  | { readonly code: 'link_over' }
  | { readonly code: 'password_unfit'; readonly reason: PasswordFault }
  | { readonly code: 'second_factor_last' }
  | { readonly code: 'too_many_passkeys'; readonly max: number }
  | { readonly code: 'no_passkey' };

export type PasswordFault = 'short' | 'long' | 'common' | 'personal';

export class SignInError extends Error {
  readonly fault: SignInFault;

  constructor(fault: SignInFault) {
    super(fault.code);
    this.name = 'SignInError';
    this.fault = fault;
  }
}
