/**
 * Whoever has forgotten the password asks for a link. The same is stored and answered whether there
 * is such a user or not: who it is, is looked up when the e-mail is to be sent.
 */
import { isEmail } from '../kernel/email.ts';
import { newId } from '../kernel/ids.ts';
import { insertMail } from './mail-store.ts';
import type { SignInParts } from './sign-in-parts.ts';
import { addressBucket, type Client, mailBucket, takeTries } from './throttle.ts';

/** Throws SignInError `too_many_tries`. */
export async function askNewPassword(parts: SignInParts, text: string, client: Client): Promise<void> {
  const { database, face } = parts;
  const email = text.trim().toLowerCase();
  await takeTries(database, [addressBucket(face, client.address), mailBucket(face, email)]);
  if (!isEmail(email)) return;
  await insertMail(database, { id: newId(), face, purpose: 'reset', user_id: null, email });
}
