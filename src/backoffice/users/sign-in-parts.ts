/** The dependencies of signing in, and users as actors of the audit log. */

import type { KeyObject } from 'node:crypto';
import type { Actor } from '../../core/actor.ts';
import type { Clock } from '../../core/clock.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Database } from '../../db/database.ts';
import type { Audience } from './tenant-scope.ts';
import type { UserRow } from './user-store.ts';

export type SignInParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: () => Promise<Sealer>;
  readonly pepper: () => Promise<KeyObject>;
  readonly face: Audience;
};

/** Returns the principal of a user. The id is unique; names are not. */
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
  /** The URLs of links. */
  readonly addresses: Readonly<Record<Audience, string>>;
  /** Whether e-mails can be sent to users. */
  readonly hasMail: boolean;
};
