/**
 * Detects whether the server's connections are shared by PgBouncer in the mode `transaction` or
 * `statement`. Oja listens, prepares statements and takes locks for the life of a connection, so it
 * cannot work with shared connections.
 */
import { noConnection } from './database-errors.ts';
import { MigrationError } from './migration-error.ts';
import { ServerClient } from './server-client.ts';

/**
 * `own`: a connection belongs to one connection to the server. `shared`: it may use a different one
 * for each statement.
 */
export type Pooling = 'none' | 'own' | 'shared';

/** The number of concurrent connections to open if the first is not direct to the server. */
const TRIES = 8;
const APPLICATION = 'oja-sessions';
/** The timeout of a connection, and of an answer over it. */
const ANSWER_MS = 5_000;

/**
 * Rejects if the server does not answer. It never returns `shared` for dedicated connections,
 * because `shared` requires that one server process answered two concurrent connections.
 */
export async function checkPooling(connectionString: string): Promise<Pooling> {
  await using stack = new AsyncDisposableStack();
  const open = async (): Promise<ServerClient> => {
    const client = new ServerClient({
      config: {
        connectionString,
        application_name: APPLICATION,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      },
      timeouts: {},
    });
    await client.connect();
    stack.defer(() => client.end().catch(() => undefined));
    return client;
  };
  const first = await open().catch((error: unknown) => {
    throw noConnection(error);
  });
  if (!first.isPooled) return 'none';
  const seen = new Set([first.backend]);
  for (let tries = 0; tries < TRIES; tries += 1) {
    // A full pool gives no more connections: then connections are not shared.
    const next = await open().catch(() => undefined);
    if (next === undefined) break;
    if (seen.has(next.backend)) return 'shared';
    seen.add(next.backend);
    // Kept open, so that each further connection is a different one, until only known ones are
    // left.
    await next.query('begin');
  }
  return 'own';
}

/** Rejects with MigrationError if connections are shared. */
export async function requireOwnSessions(connectionString: string): Promise<void> {
  if ((await checkPooling(connectionString)) === 'shared')
    throw new MigrationError('connections_shared', sharedSessions);
}

const sharedSessions =
  'DATABASE_URL leads to a pooler that assigns server connections per transaction, but Oja needs a connection for a whole session: set pool_mode = session in PgBouncer';
