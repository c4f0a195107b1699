/**
 * Ties the server's life to this process: when it is killed, the kernel tells the server to stop.
 * Linux only.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

export type Command = { readonly program: string; readonly args: readonly string[] };

/**
 * Returns the command that runs `command` so that it gets SIGINT, a fast and clean shutdown, when
 * its parent dies. If the system has no such signal, this is `command` itself, and the next start
 * stops a leftover server.
 *
 * Spawn it as the server's user, because the kernel forgets the signal when a process changes its
 * user. Spawn it from a thread that lives as long as the server, because the kernel sends the
 * signal when that thread ends.
 */
export async function withDeathSignal(command: Command, user: ServerUser | undefined): Promise<Command> {
  if (process.platform !== 'linux') {
    return command;
  }
  for (const program of ['/usr/bin/setpriv', '/bin/setpriv']) {
    const prefix = ['--pdeathsig', 'INT', '--'];
    const works = await run(program, [...prefix, '/bin/true'], { ...user, cwd: '/' }).then(
      () => true,
      () => false,
    );
    if (works) {
      return { program, args: [...prefix, command.program, ...command.args] };
    }
  }
  return command;
}
