/** What signing in, and what belongs to it, is refused for. Each edge has its own words. */

export type SignInFault =
  /**
   * The address, the password, the code or the passkey is wrong. It is not said which, nor whether
   * there is such a user.
   */
  | { readonly code: 'sign_in_refused' }
  | { readonly code: 'too_many_tries'; readonly retryAfterS: number }
  /** No session, or one that has ended. */
  | { readonly code: 'signed_out' }
  /** The second factor is still to come. */
  | { readonly code: 'second_factor_needed' }
  | { readonly code: 'step_up_needed' }
  /** It was used, has run out, or never was one. */
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
