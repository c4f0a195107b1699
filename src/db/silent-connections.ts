/**
 * Connections that stopped answering without being closed: a cut cable, a firewall that dropped
 * them, a lost server machine. A statement on such a connection would wait for its whole timeout,
 * and so would other users of the pool.
 *
 * Guarantees: a connection is ended only if its server reports, over another connection, that it is
 * running no statement for it. The caller gets a lost connection, whose outcome is unknown.
 */
import { type ClientTerms, ServerClient } from './server-client.ts';

const LOOK_MS = 1_000;
/** Statements take milliseconds, so one that takes longer is checked. */
const SILENT_MS = 2_500;
const ASK_MS = 2_000;

/** A connection in use. */
type Waiting = {
  readonly waitingSinceMs: number | undefined;
  readonly backend: number | undefined;
  breakOff(reason: string): void;
};

/** Checks until it is disposed. It sends no queries while every answer arrives in time. */
export function endSilentConnections(leases: Iterable<Waiting>, terms: ClientTerms): Disposable {
  let isAsking = false;
  const look = async (): Promise<void> => {
    const silent = [...leases].filter(isSilent);
    if (isAsking || silent.length === 0) return;
    isAsking = true;
    const since = silent.map((lease) => lease.waitingSinceMs);
    const idle = await findIdle(silent, terms).finally(() => {
      isAsking = false;
    });
    for (const lease of idle) {
      // An answer may have arrived meanwhile, and another statement may be running.
      if (lease.waitingSinceMs === since[silent.indexOf(lease)]) {
        lease.breakOff('the connection is silent, and the server is running no statement for it');
      }
    }
  };
  // An unreachable server is handled by timeouts and the pool.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function isSilent({ waitingSinceMs, backend }: Waiting): boolean {
  return (
    backend !== undefined && waitingSinceMs !== undefined && performance.now() - waitingSinceMs > SILENT_MS
  );
}

/** Returns the connections for which the server runs nothing. */
async function findIdle<W extends Waiting>(waiting: readonly W[], terms: ClientTerms): Promise<W[]> {
  const config = { ...terms.config, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS };
  const client = new ServerClient({ ...terms, config });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid
       from pg_stat_activity
       where pid = any($1)
       and state is distinct from 'idle'
       and state is distinct from 'idle in transaction'
       and state is distinct from 'idle in transaction (aborted)'`,
      [waiting.map(({ backend }) => backend)],
    );
    const busy = new Set(rows.map(({ pid }) => pid));
    return waiting.filter(({ backend }) => !busy.has(backend ?? 0));
  } finally {
    await client.end().catch(() => undefined);
  }
}
