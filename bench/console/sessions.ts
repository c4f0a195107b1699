/** Many people with the console open: their sessions and their streams. */

import { hashOfToken, newSecretToken } from '../../src/backoffice/users/secret-token.ts';
import { insertSession } from '../../src/backoffice/users/session-store.ts';
import { newId } from '../../src/core/ids.ts';
import { openBenchDatabase } from '../cluster.ts';

/** Cookies of this many open sessions of the demo's admin. */
export async function openSessions(connectionString: string, count: number): Promise<string[]> {
  await using database = openBenchDatabase(connectionString, 1);
  const [admin] = await database.query<{ id: string }>(
    'select id from users where merchant_id is null limit 1',
  );
  if (admin === undefined) throw new Error('the demo has an admin');
  const tokens = Array.from({ length: count }, newSecretToken);
  await database.transaction(async (tx) => {
    for (const token of tokens) {
      await insertSession(tx, {
        id: newId(),
        userId: admin.id,
        tokenHash: hashOfToken(token),
        state: 'open',
        opened_by: 'link',
        address: '127.0.0.1',
        agent: 'bench',
        steppedUp: 'no',
      });
    }
  });
  return tokens.map((token) => `__Host-oja_console=${token}`);
}

export type Streams = {
  /** Events that all of them received. */
  told(): number;
  close(): Promise<void>;
};

/** Resolves when each has received an event. */
export async function watchAll(url: string, cookies: readonly string[]): Promise<Streams> {
  const stopping = new AbortController();
  let told = 0;
  const first: Promise<void>[] = [];
  const readings = cookies.map(async (cookie) => {
    const begun = Promise.withResolvers<void>();
    first.push(begun.promise);
    const { body, status } = await fetch(`${url}/api/live`, { headers: { cookie }, signal: stopping.signal });
    if (status !== 200) throw new Error(`a stream is refused with ${status}`);
    for await (const chunk of body ?? []) {
      told += Buffer.from(chunk).toString('latin1').split('event: ').length - 1;
      if (told > 0) begun.resolve();
    }
  });
  const ended = Promise.allSettled(readings);
  await Promise.race([Promise.all(first), Promise.all(readings)]);
  return {
    told: () => told,
    close: async () => {
      stopping.abort();
      await ended;
    },
  };
}
