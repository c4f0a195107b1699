/** SQL of e-mails with links, which wait in a leased queue until they are sent. */
import type { Sql, Tx } from '../db/database.ts';
import { defineQueue } from '../queue/leased-queue.ts';
import type { Face } from './face.ts';

export type MailPurpose = 'invitation' | 'reset';

export type MailRow = {
  readonly id: string;
  readonly face: Face;
  readonly purpose: MailPurpose;
  readonly user_id: string | null;
  readonly email: string;
};

export const mailQueue = defineQueue<MailRow, 'id'>({
  table: 'user_mails',
  key: ['id'],
  columns: ['face', 'purpose', 'user_id', 'email'],
  // A second e-mail brings a second link, which takes the place of the first.
  repeatable: true,
  deletes: true,
});

export async function insertMail(sql: Sql | Tx, mail: MailRow): Promise<void> {
  await sql.query(
    `insert into user_mails (id, face, purpose, user_id, email, due_at)
     values ($1, $2, $3, $4, $5, now())`,
    [mail.id, mail.face, mail.purpose, mail.user_id, mail.email],
  );
}
