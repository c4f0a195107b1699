/** What operations on users need to know of where people sign in. */
import type { Face } from './face.ts';

export type SignInServices = {
  /** Where links lead. */
  readonly addresses: Readonly<Record<Face, string>>;
  /** Whether e-mail can be sent to people. */
  readonly hasMail: boolean;
};
