/** SQL of queued e-mails to users. */
import type { Sql, Tx } from '../../db/database.ts';
import { defineQueue } from '../../db/queue/leased-queue.ts';
import type { Audience } from './tenant-scope.ts';

/**
 * An `approval` e-mail links to a request, a `wallet_low` e-mail to the balance. The others contain
 * a single-use link.
 */
type MailPurpose = 'invitation' | 'reset' | 'approval' | 'wallet_low';

export type MailRow = {
  readonly id: string;
  readonly face: Audience;
  readonly purpose: MailPurpose;
  readonly user_id: string | null;
  readonly email: string;
  /** The request of an `approval` e-mail. */
  readonly approval_id: string | null;
  /** The wallet of a `wallet_low` e-mail, which src/wallet books. */
  readonly wallet_id: bigint | null;
};

export const mailQueue = defineQueue<MailRow, 'id'>({
  table: 'user_mails',
  key: ['id'],
  columns: ['face', 'purpose', 'user_id', 'email', 'approval_id', 'wallet_id'],
  // A repeated e-mail contains a new link that replaces the first, or the same text.
  repeatable: true,
  deletes: true,
});

type NewMail = Omit<MailRow, 'approval_id' | 'wallet_id'> & { readonly approval_id?: string };

export async function insertMail(sql: Sql | Tx, mail: NewMail): Promise<void> {
  await sql.query(
    `insert into user_mails (id, face, purpose, user_id, email, approval_id, due_at)
     values ($1, $2, $3, $4, $5, $6, now())`,
    [mail.id, mail.face, mail.purpose, mail.user_id, mail.email, mail.approval_id ?? null],
  );
}
