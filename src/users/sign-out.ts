/** Signing out, here or elsewhere: the token is worth nothing from then on, on every process. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Queries } from '../db/database.ts';
import type { Face } from './face.ts';
import type { Present } from './find-session.ts';
import { endSessions } from './session-store.ts';
import { actorOfUser } from './sign-in-parts.ts';

export async function signOut(database: Queries, { session, user }: Present, face: Face): Promise<void> {
  await database.transaction(async (tx) => {
    const ended = await endSessions(tx, { userId: user.id, id: session.id }, 'signed out');
    // What was half open never did anything.
    if (ended === 0 || session.state === 'half') return;
    await recordOperation(tx, {
      actor: actorOfUser(user, face, session.id),
      action: 'session.close',
      subject: `user:${user.id}`,
    });
  });
}

/** One of the user's own sessions or, without `id`, all others. Gives how many ended. */
export async function endOwnSessions(
  database: Queries,
  { session, user }: Present,
  face: Face,
  id: string | undefined,
): Promise<number> {
  return await database.transaction(async (tx) => {
    const which = id === undefined ? { except: session.id } : { id };
    const ended = await endSessions(tx, { userId: user.id, ...which }, 'ended');
    if (ended > 0) {
      await recordOperation(tx, {
        actor: actorOfUser(user, face, session.id),
        action: 'session.end',
        subject: `user:${user.id}`,
        after: { ended },
      });
    }
    return ended;
  });
}
