/**
 * Temporary data folders. They and the server in them are removed when the test's process ends,
 * however it ends.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@oja/embedded-postgres';

export const isRoot = process.getuid?.() === 0;

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-pg-test-'));
  removeAfterwards(folder);
  await chmod(folder, 0o755); // The server runs as another user when the tests run as root.
  return folder;
}

export function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster');
}

export async function startIn(dataDir: string): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({ dataDir, databaseName: 'shop', durable: false });
}

/**
 * A folder that is removed, with the database server in it, when this process has ended in any way.
 */
export function removeAfterwards(folder: string): void {
  // The kernel closes the pipe when this process dies, which ends the `cat`.
  const script = `
    cat > /dev/null
    pidfile="$1/postgres/cluster/postmaster.pid"
    for i in $(seq 100); do [ -e "$pidfile" ] || break; sleep 0.1; done
    [ -e "$pidfile" ] && kill -9 "$(head -n 1 "$pidfile")"
    rm -rf "$1"`;
  const janitor = spawn('/bin/sh', ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  janitor.unref();
}
