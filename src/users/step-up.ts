/**
 * The password, or a passkey, once more: for some minutes the session may do what is worth
 * stealing. It goes on under a new token.
 */
import type { Present } from './find-session.ts';
import { shareOfUser, verifyPassword } from './hash-password.ts';
import { renewSession } from './open-session.ts';
import { askPasskey, takePasskey } from './passkeys.ts';
import { SignInError } from './sign-in-error.ts';
import type { SignInParts } from './sign-in-parts.ts';
import {
  accountBucket,
  addressBucket,
  type Client,
  forgiveTries,
  giveTriesBack,
  takeTries,
} from './throttle.ts';

function boundTo({ session }: Present): string {
  return `step_up ${session.id}`;
}

export async function askStepUp(parts: SignInParts, present: Present, origin: string): Promise<object> {
  return await askPasskey(parts.database, { userId: present.user.id, boundTo: boundTo(present), origin });
}

/** The new token. Throws SignInError `sign_in_refused`, `too_many_tries`, `signed_out`. */
export async function stepUp(
  parts: SignInParts,
  present: Present,
  given: {
    readonly password?: string | undefined;
    readonly passkey?: unknown;
    readonly origin: string;
  },
  client: Client,
): Promise<string> {
  const { database, face } = parts;
  const { session, user, token } = present;
  const address = addressBucket(face, client.address);
  // A bucket of the session's own: whoever guesses at the account elsewhere does not empty it.
  const account = accountBucket(face, user.email, `step_up ${session.id}`);
  await takeTries(database, [address, account]);
  if (given.passkey === undefined) {
    const sharer = shareOfUser(face, user.id);
    const { isRight } = await verifyPassword(given.password ?? '', user.password, sharer).catch(
      async (error: unknown) => {
        await giveTriesBack(database, [address, account]);
        throw error;
      },
    );
    if (!isRight) throw new SignInError({ code: 'sign_in_refused' });
  }
  const renewed = await database.transaction(async (tx) => {
    if (given.passkey !== undefined) {
      const owner = await takePasskey(tx, {
        response: given.passkey,
        boundTo: boundTo(present),
        origin: given.origin,
      });
      if (owner !== user.id) throw new SignInError({ code: 'sign_in_refused' });
    }
    return await renewSession(tx, { id: session.id, token });
  });
  await forgiveTries(database, { address, account });
  return renewed;
}
