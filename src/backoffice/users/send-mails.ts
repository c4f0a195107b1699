/**
 * Sends queued e-mails to users. A link is created when its e-mail is sent, so that a reader of the
 * database cannot use it.
 *
 * Guarantees: it may be interrupted anywhere and run again: a repeated e-mail has a new link that
 * replaces the first, or the same id for an approval or a low balance. A process that dies after
 * the mail server took an e-mail causes one more. No e-mail is sent to an unknown address.
 */

import type { Database } from '../../db/database.ts';
import { type Claimed, doublingPause } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { workAll } from '../../db/queue/work-all.ts';
import type { Looking } from '../../oversight/approvals/is-one-person.ts';
import {
  composeLinkMail,
  type Mail,
  type MailedLink,
  readApprovalMail,
  readLowBalanceMail,
} from './compose-mail.ts';
import { linkAddress, newLink } from './links.ts';
import { type MailRow, mailQueue } from './mail-store.ts';
import type { Audience } from './tenant-scope.ts';
import { findUser, findUsersByEmail, type UserRow } from './user-store.ts';

const AT_ONCE = 5;
const LEASE_MS = 60_000;
const TRIES_BEFORE_ALARM = 5;
const TRIES_MAX = 30;
const pause = doublingPause(15_000, 3_600_000);

type MailParts = {
  readonly database: Database;
  readonly addresses: Readonly<Record<Audience, string>>;
  /** Returns false if the e-mail was certainly not accepted and may be sent again. */
  readonly send: (mail: Mail) => Promise<boolean>;
  readonly rolesOf: Looking['rolesOf'];
};

export async function sendUserMails(parts: MailParts): Promise<number> {
  const mails = await claimDue(parts.database, mailQueue, { limit: AT_ONCE, leaseMs: LEASE_MS });
  return await workAll(
    mails,
    (mail) => sendOne(parts, mail),
    (mail) => settleItem(parts.database, mailQueue, mail, { pauseMs: pause(mail.tries) }),
  );
}

async function sendOne(parts: MailParts, mail: Claimed<MailRow>): Promise<void> {
  const { database } = parts;
  const { purpose } = mail;
  const isTaken =
    purpose === 'approval' || purpose === 'wallet_low'
      ? await sendComposed(parts, mail)
      : await sendLinks(parts, mail, purpose);
  if (isTaken || mail.tries >= TRIES_MAX) {
    await settleItem(database, mailQueue, mail, {});
    return;
  }
  const alarm =
    mail.tries < TRIES_BEFORE_ALARM
      ? undefined
      : {
          kind: 'quarantined',
          message: `The mail server does not accept an e-mail to a user (${purpose}).`,
        };
  await settleItem(database, mailQueue, mail, { pauseMs: pause(mail.tries), alarm });
}

/** Returns false if it must be sent again. */
async function sendComposed(
  { database, addresses, send, rolesOf }: MailParts,
  mail: Claimed<MailRow>,
): Promise<boolean> {
  const composed =
    mail.purpose === 'approval'
      ? await readApprovalMail(database, mail, addresses.console, rolesOf)
      : await readLowBalanceMail(database, mail, addresses.portal);
  return composed === undefined || (await send(composed));
}

/** Returns false if it must be sent again. */
async function sendLinks(parts: MailParts, mail: Claimed<MailRow>, purpose: MailedLink): Promise<boolean> {
  let isTaken = true;
  for (const user of await usersOf(parts, mail)) {
    isTaken = (await sendTo(parts, mail, user, purpose)) && isTaken;
  }
  return isTaken;
}

/** Returns the recipients, except suspended users and users who accepted their invitation. */
async function usersOf({ database }: MailParts, mail: MailRow): Promise<readonly UserRow[]> {
  const { user_id: userId, email, face } = mail;
  const invited = userId === null ? undefined : await findUser(database, userId);
  const found =
    userId === null
      ? await findUsersByEmail(database, { email, ofMerchant: face === 'portal' })
      : invited === undefined
        ? []
        : [invited];
  return found.filter(
    (user) => user.suspended_at === null && (mail.purpose === 'reset' || user.password === null),
  );
}

async function sendTo(
  { database, addresses, send }: MailParts,
  mail: Claimed<MailRow>,
  user: UserRow,
  purpose: MailedLink,
): Promise<boolean> {
  const { token } = await database.transaction((tx) => newLink(tx, user.id, purpose));
  const link = linkAddress(addresses[mail.face], purpose, token);
  return await send(composeLinkMail(`${mail.id}-${user.id.slice(-12)}-${mail.tries}`, user, purpose, link));
}
