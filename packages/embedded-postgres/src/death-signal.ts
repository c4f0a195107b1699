/**
 * Ties the server's life to ours: when this process is killed outright, the kernel tells the server
 * to stop. Linux only.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

export type Command = { readonly program: string; readonly args: readonly string[] };

/**
 * The command that runs `command` so that it gets SIGINT, a fast and clean shutdown, when its
 * parent dies. Where the system has no such signal, it is the command itself. A leftover server is
 * then stopped by the next start.
 *
 * To be spawned as the server's user: the kernel forgets the signal when a process changes its
 * user. And from a thread that lives as long as the server: the kernel sends the signal when the
 * thread that spawned it ends.
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
