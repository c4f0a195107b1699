/** Users and sessions as operations output them, without secrets. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { nullableText } from '../../core/nullable.ts';
import { nullableTime, oneOf, text, timeOutput } from '../../core/operation-fields.ts';
import type { ListedSession } from './session-store.ts';
import type { UserRow } from './user-store.ts';

const userStates = ['invited', 'active', 'suspended'] as const;
type UserState = (typeof userStates)[number];

export const emailField = Type.String({
  description: 'an e-mail address such as ada@shop.example',
  minLength: 3,
  maxLength: 254,
});
export const nameField = Type.Optional(text('the name of the user, in 1 to 100 characters'));

export const userOutput = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  roles: Type.Array(Type.String()),
  state: oneOf(userStates),
  created_at: timeOutput,
  signed_in_at: nullableTime,
});

export function userAnswer(user: UserRow): Static<typeof userOutput> {
  return answerOf(userOutput, { ...user, state: stateOf(user) });
}

/**
 * Users of the demo sign in by links without a password, so they are active after the first
 * sign-in.
 */
function stateOf({ suspended_at: suspendedAt, password, signed_in_at: signedInAt }: UserRow): UserState {
  if (suspendedAt !== null) return 'suspended';
  return password === null && signedInAt === null ? 'invited' : 'active';
}

/** The output of an operation that sends a link by e-mail or shows it once. */
export const linkedOutput = Type.Object({
  ...userOutput.properties,
  sent_to: nullableText,
  link: nullableText,
  expires_at: nullableTime,
});

export const linkField = Type.Optional(
  Type.Boolean({
    description: 'true to show the link instead of sending it by e-mail',
    default: false,
  }),
);

export const sessionOutput = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  opened_by: Type.String(),
  opened_at: timeOutput,
  seen_at: timeOutput,
  expires_at: timeOutput,
  address: Type.String(),
  browser: Type.String(),
});

export function sessionAnswer(session: ListedSession): Static<typeof sessionOutput> {
  return answerOf(sessionOutput, {
    ...session,
    name: session.user_name,
    opened_at: session.created_at,
    browser: session.agent,
  });
}
