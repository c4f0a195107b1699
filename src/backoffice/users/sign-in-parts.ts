/** What signing in works with, and who did it as the audit log has it. */

import type { KeyObject } from 'node:crypto';
import type { Actor } from '../../core/actor.ts';
import type { Clock } from '../../core/clock.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Database } from '../../db/database.ts';
import type { Audience } from './crew.ts';
import type { UserRow } from './user-store.ts';

export type SignInParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: () => Promise<Sealer>;
  readonly pepper: () => Promise<KeyObject>;
  readonly face: Audience;
};

/** Whoever signed in. The id is what tells people apart: two may have one name. */
export function principalOf({ id, email }: Pick<UserRow, 'id' | 'email'>): string {
  return `user:${id} (${email})`;
}

export function actorOfUser(
  user: Pick<UserRow, 'id' | 'email' | 'name'>,
  face: Audience,
  session: string | undefined,
): Actor {
  return {
    name: user.name,
    principal: principalOf(user),
    edge: face,
    ...(session !== undefined && { session }),
  };
}

export type SignInServices = {
  /** Where links lead. */
  readonly addresses: Readonly<Record<Audience, string>>;
  /** Whether e-mail can be sent to people. */
  readonly hasMail: boolean;
};
