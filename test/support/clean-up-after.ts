/** Temporary folders that are removed after the tests, however those end. */
import { spawn } from 'node:child_process';

/**
 * A folder that is removed when this process has ended in any way, and the database server in it
 * with it.
 */
export function cleanUpAfter(folder: string): void {
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
