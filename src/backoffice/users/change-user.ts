/**
 * Changes users of the console and of merchants: invites, roles, suspensions and resets.
 *
 * Guarantees: removing a right ends all sessions of the user in the same transaction, and revokes
 * access tokens that the user created with more rights; the last admin, and the last owner of a
 * merchant from the portal, cannot be removed.
 */

import type { Actor } from '../../core/actor.ts';
import { formatRfc3339 } from '../../core/clock.ts';
import { isEmail } from '../../core/email.ts';
import { OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { type Role, roles } from '../../core/operation.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { revokeTokensOf } from '../access/access-token-store.ts';
import { requireFitPassword } from './check-password.ts';
import type { MailedLink } from './compose-mail.ts';
import { hashPassword, shareOfUser } from './hash-password.ts';
import { deleteLinks } from './link-store.ts';
import { linkAddress, newLink } from './links.ts';
import { insertMail } from './mail-store.ts';
import type { Present } from './open-session.ts';
import { deleteSecondFactors } from './second-factor-store.ts';
import { endSessions } from './session-store.ts';
import { actorOfUser, principalOf, type SignInParts, type SignInServices } from './sign-in-parts.ts';
import { findMember, lockMember, type TenantScope } from './tenant-scope.ts';
import { passwordBucket, takeTries } from './throttle.ts';
import { userAnswer } from './user-answer.ts';
import { countChiefs, findUser, insertUser, type UserRow, updateUser } from './user-store.ts';

export type UserActing = Acting & { readonly signIn: SignInServices };

function subjectOf({ id }: UserRow): string {
  return `user:${id}`;
}

/** Names the user in the audit log. */
function named({ code }: TenantScope, { email }: UserRow): { email: string; merchant?: string } {
  return { email, ...(code !== null && { merchant: code }) };
}

/**
 * Invites a user, or invites a user again who has not accepted. Throws OperationError
 * `email_malformed`, `user_exists`, `no_mail_server`.
 */
export async function inviteUser(
  { tx, actor, signIn }: UserActing,
  scope: TenantScope,
  invited: { readonly email: string; readonly name?: string | undefined; readonly roles: readonly string[] },
  showLink: boolean,
) {
  const email = invited.email.trim().toLowerCase();
  if (!isEmail(email)) throw new OperationError({ code: 'email_malformed', email: invited.email });
  const name = invited.name?.trim() ?? email.slice(0, email.indexOf('@'));
  const user = { id: newId(), merchant_id: scope.merchantId, email, name, roles: invited.roles as never };
  const isNew = await insertUser(tx, { ...user, created_by: actor.principal });
  const stored = await lockMember(tx, scope, email);
  if (!isNew) {
    const hasAccepted = stored.password !== null || stored.signed_in_at !== null;
    if (hasAccepted || stored.suspended_at !== null) {
      throw new OperationError({ code: 'user_exists', email });
    }
    await updateUser(tx, stored.id, { name: invited.name?.trim(), roles: invited.roles });
  }
  await recordOperation(tx, {
    actor,
    action: scope.code === null ? 'user.invite' : 'team.invite',
    subject: subjectOf(stored),
    after: { ...named(scope, stored), roles: invited.roles, link: showLink ? 'shown' : 'sent' },
  });
  const linked = await giveLink(tx, signIn, { scope, user: stored, purpose: 'invitation', showLink });
  return { ...userAnswer((await findUser(tx, stored.id)) ?? stored), ...linked };
}

/** Creates a link that is shown once, or queues an e-mail with one in this transaction. */
async function giveLink(
  tx: Tx,
  signIn: SignInServices,
  given: {
    readonly scope: TenantScope;
    readonly user: UserRow;
    readonly purpose: MailedLink;
    readonly showLink: boolean;
  },
) {
  const { scope, user, purpose, showLink } = given;
  if (showLink) {
    const { token, expiresAt } = await newLink(tx, user.id, purpose);
    const link = linkAddress(signIn.addresses[scope.face], purpose, token);
    return { sent_to: null, link, expires_at: formatRfc3339(expiresAt) };
  }
  if (!signIn.hasMail) throw new OperationError({ code: 'no_mail_server' });
  await insertMail(tx, { id: newId(), face: scope.face, purpose, user_id: user.id, email: user.email });
  return { sent_to: user.email, link: null, expires_at: null };
}

/** Returns the roles that the user's tokens may keep. Only admins may have tokens. */
function tokenRolesOf(own: readonly string[]): readonly Role[] {
  return own.includes('admin') ? roles : [];
}

/** Adds the number of revoked tokens to an audit entry, if any. */
function tokensEnded(count: number): { readonly tokens_ended?: number } {
  return count === 0 ? {} : { tokens_ended: count };
}

/** Throws OperationError `no_user`, `last_chief`. */
export async function setUserRoles(
  { tx, actor }: Acting,
  scope: TenantScope,
  { email, roles: given }: { readonly email: string; readonly roles: readonly string[] },
) {
  const user = await lockMember(tx, scope, email);
  const before = [...user.roles].sort();
  const after = [...given].sort();
  const changed = before.join() !== after.join();
  if (changed) {
    await updateUser(tx, user.id, { roles: after });
    await requireChief(tx, scope, actor);
    const ended = await endSessions(tx, { userId: user.id }, 'roles changed');
    const tokens = await revokeTokensOf(tx, principalOf(user), tokenRolesOf(after));
    await recordOperation(tx, {
      actor,
      action: scope.code === null ? 'user.set_roles' : 'team.set_roles',
      subject: subjectOf(user),
      before: { ...named(scope, user), roles: before },
      after: { roles: after, sessions_ended: ended, ...tokensEnded(tokens) },
    });
  }
  return { ...userAnswer({ ...user, roles: after as never }), changed };
}

/** Throws OperationError `no_user`, `last_chief`. */
export async function setUserSuspended(
  { tx, actor }: Acting,
  scope: TenantScope,
  { email, suspended }: { readonly email: string; readonly suspended: boolean },
) {
  const user = await lockMember(tx, scope, email);
  const changed = (user.suspended_at !== null) !== suspended;
  if (changed) {
    await updateUser(tx, user.id, { suspended });
    let tokens = 0;
    if (suspended) {
      await requireChief(tx, scope, actor);
      await endSessions(tx, { userId: user.id }, 'suspended');
      tokens = await revokeTokensOf(tx, principalOf(user), []);
      await deleteLinks(tx, user.id);
    }
    const noun = scope.code === null ? 'user' : 'team';
    await recordOperation(tx, {
      actor,
      action: `${noun}.${suspended ? 'suspend' : 'resume'}`,
      subject: subjectOf(user),
      before: { ...named(scope, user), suspended: !suspended },
      after: { suspended, ...tokensEnded(tokens) },
    });
  }
  return { ...userAnswer((await findUser(tx, user.id)) ?? user), changed };
}

/** Requires a remaining admin or owner. The operator may remove a merchant's last owner. */
async function requireChief(tx: Tx, { merchantId }: TenantScope, { edge }: Actor): Promise<void> {
  if (merchantId !== null && edge !== 'portal') return;
  if ((await countChiefs(tx, merchantId)) === 0) {
    throw new OperationError({ code: 'last_chief', role: merchantId === null ? 'admin' : 'owner' });
  }
}

/**
 * Gives a user a link to choose a new password, instead of earlier links. All sessions and created
 * tokens end. The old password works until a new one is chosen, unless second factors are removed:
 * it would be the only proof left. Throws OperationError `no_user`, `no_mail_server`.
 */
export async function resetUser(
  { tx, actor, signIn }: UserActing,
  scope: TenantScope,
  { email, secondFactors }: { readonly email: string; readonly secondFactors: boolean },
  showLink: boolean,
) {
  const user = await lockMember(tx, scope, email);
  if (user.suspended_at !== null) throw new OperationError({ code: 'user_suspended', email: user.email });
  if (secondFactors) {
    await deleteSecondFactors(tx, user.id);
    await updateUser(tx, user.id, { password: null });
  }
  await deleteLinks(tx, user.id);
  await endSessions(tx, { userId: user.id }, 'reset');
  const tokens = await revokeTokensOf(tx, principalOf(user), []);
  await recordOperation(tx, {
    actor,
    action: scope.code === null ? 'user.reset' : 'team.reset',
    subject: subjectOf(user),
    after: {
      ...named(scope, user),
      second_factors: secondFactors ? 'removed' : 'kept',
      link: showLink ? 'shown' : 'sent',
      ...tokensEnded(tokens),
    },
  });
  const linked = await giveLink(tx, signIn, { scope, user, purpose: 'reset', showLink });
  return { ...userAnswer(user), ...linked };
}

/** Ends one session or all of a user. Throws OperationError `no_user`, `no_session`. */
export async function endUserSessions(
  { tx, actor }: Acting,
  scope: TenantScope,
  of: { readonly email: string; readonly session?: string | undefined },
): Promise<{ readonly email: string; readonly ended: number }> {
  const user = await findMember(tx, scope, of.email);
  const ended = await endSessions(tx, { userId: user.id, id: of.session }, 'ended');
  if (ended === 0 && of.session !== undefined) {
    throw new OperationError({ code: 'no_session', session: of.session });
  }
  if (ended > 0) {
    await recordOperation(tx, {
      actor,
      action: scope.code === null ? 'session.end' : 'team.end_sessions',
      subject: subjectOf(user),
      after: { ...named(scope, user), ended, ...(of.session !== undefined && { ended_session: of.session }) },
    });
  }
  return { email: user.email, ended };
}

/**
 * Changes the password of a user with a confirmed session. Throws SignInError `password_unfit`,
 * `too_many_tries`.
 */
export async function changePassword(
  { database, face }: SignInParts,
  { user, session }: Present,
  text: string,
): Promise<void> {
  requireFitPassword(text, user);
  await takeTries(database, [passwordBucket(user.id)]);
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
