/** A new password for whoever is signed in. It ends every other session of the user. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Present } from './find-session.ts';
import { hashPassword, shareOfUser } from './hash-password.ts';
import { requireFitPassword } from './judge-password.ts';
import { deleteLinks } from './link-store.ts';
import { endSessions } from './session-store.ts';
import { actorOfUser, type SignInParts } from './sign-in-parts.ts';
import { updateUser } from './user-store.ts';

/** Of a session that was stepped up. Throws SignInError `password_unfit`. */
export async function changePassword(
  { database, face }: SignInParts,
  { user, session }: Present,
  text: string,
): Promise<void> {
  requireFitPassword(text, user);
  const password = await hashPassword(text, shareOfUser(face, user.id));
  await database.transaction(async (tx) => {
    await updateUser(tx, user.id, { password });
    await deleteLinks(tx, user.id);
    await endSessions(tx, { userId: user.id, except: session.id }, 'password changed');
    await recordOperation(tx, {
      actor: actorOfUser(user, face, session.id),
      action: 'user.set_password',
      subject: `user:${user.id}`,
      after: { by: 'password', other_sessions: 'ended' },
    });
  });
}
