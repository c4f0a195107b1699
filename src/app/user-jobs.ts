/** The background jobs of users: e-mails, and the deletion of expired rows. */

import { rolesOf } from '../backoffice/operations/registry.ts';
import type { Mail } from '../backoffice/users/compose-mail.ts';
import { deleteExpired } from '../backoffice/users/expired-store.ts';
import { sendUserMails } from '../backoffice/users/send-mails.ts';
import type { SignInServices } from '../backoffice/users/sign-in-parts.ts';
import type { Job } from '../core/job.ts';
import type { Database } from '../db/database.ts';
import type { Messengers } from '../notifications/messages/set-up-messengers.ts';

const SECOND_MS = 1_000;
const SEND_MS = 45_000;

export type UserJobParts = {
  readonly database: Database;
  readonly messengers: Pick<Messengers, 'of'>;
  readonly signIn: SignInServices;
};

export function userJobs({ database, messengers, signIn }: UserJobParts): readonly Job[] {
  const send = async (mail: Mail): Promise<boolean> => {
    const messenger = messengers.of('live', 'email');
    const message = { ...mail, channel: 'email' as const, shortText: mail.subject };
    const outcome = await messenger?.send(message, AbortSignal.timeout(SEND_MS));
    return outcome !== undefined && outcome.kind !== 'not_sent';
  };
  return [
    {
      name: 'user-mails',
      role: 'worker',
      everyMs: SECOND_MS,
      failure: 'cannot send e-mails to users: they are sent later',
      run: async () => void (await sendUserMails({ database, addresses: signIn.addresses, send, rolesOf })),
    },
    {
      name: 'ended-sessions',
      role: 'worker',
      everyMs: 3_600 * SECOND_MS,
      failure: 'cannot delete expired sessions and links: they are kept until the next run',
      run: async () => void (await deleteExpired(database)),
    },
  ];
}
