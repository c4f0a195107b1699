/**
 * Sends the e-mails to people who sign in, from rows that wait. A link to sign in is made when its
 * e-mail goes out, so that nobody who reads the database can use it.
 *
 * Guarantees: it may die anywhere and be run again: a second e-mail brings a second link, and the
 * first works no more; of an approval, the mail server gets the same e-mail under the same id. An
 * address that nobody has gets nothing.
 */

import type { Database } from '../../db/database.ts';
import { type Claimed, doublingPause } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { workAll } from '../../db/queue/work-all.ts';
import type { Looking } from '../../oversight/approvals/is-one-person.ts';
import { composeLinkMail, type Mail, type MailedLink, readApprovalMail } from './compose-mail.ts';
import type { Audience } from './crew.ts';
import { linkAddress, newLink } from './links.ts';
import { type MailRow, mailQueue } from './mail-store.ts';
import { findUser, findUsersByEmail, type UserRow } from './user-store.ts';

const AT_ONCE = 5;
const LEASE_MS = 60_000;
const TRIES_BEFORE_ALARM = 5;
const TRIES_MAX = 30;
const pause = doublingPause(15_000, 3_600_000);

type MailParts = {
  readonly database: Database;
  readonly addresses: Readonly<Record<Audience, string>>;
  /** False where it was certainly not taken, and may be tried again. */
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
    purpose === 'approval' ? await sendApproval(parts, mail) : await sendLinks(parts, mail, purpose);
  if (isTaken || mail.tries >= TRIES_MAX) {
    await settleItem(database, mailQueue, mail, {});
    return;
  }
  const alarm =
    mail.tries < TRIES_BEFORE_ALARM
      ? undefined
      : {
          kind: 'set_aside',
          message: `an e-mail to somebody who signs in (${purpose}) is not taken by the mail server`,
        };
  await settleItem(database, mailQueue, mail, { pauseMs: pause(mail.tries), alarm });
}

/** False where it is to be tried again. */
async function sendApproval(
  { database, addresses, send, rolesOf }: MailParts,
  mail: Claimed<MailRow>,
): Promise<boolean> {
  const composed = await readApprovalMail(database, mail, addresses.console, rolesOf);
  return composed === undefined || (await send(composed));
}

/** Likewise. */
async function sendLinks(parts: MailParts, mail: Claimed<MailRow>, purpose: MailedLink): Promise<boolean> {
  let isTaken = true;
  for (const user of await usersOf(parts, mail)) {
    isTaken = (await sendTo(parts, mail, user, purpose)) && isTaken;
  }
  return isTaken;
}

/** Whoever was suspended since, and an invitation that was accepted, gets nothing. */
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
