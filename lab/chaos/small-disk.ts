/**
 * A file system of a fixed size for the database, which can be filled. It is in memory and needs
 * root to be mounted.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Written while its size is set. */
const MARGIN_BYTES = 65_536;
const FILL_TRIES = 20;

export type SmallDisk = AsyncDisposable & {
  /** Shrinks it to the size of its content. */
  fill(): Promise<void>;
  /** Restores its size. */
  free(): Promise<void>;
};

/** Undefined if it is not available. */
export async function mountSmallDisk(path: string, megabytes: number): Promise<SmallDisk | undefined> {
  await mkdir(path);
  const mounted = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=755`,
    'tmpfs',
    path,
  ]).then(
    () => true,
    () => false,
  );
  if (!mounted) return undefined;
  unmountAfterUs(path);
  return {
    fill: () => fillUp(path),
    free: () => resize(path, `${megabytes}m`),
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', path]);
    },
  };
}

async function fillUp(path: string): Promise<void> {
  for (let left = FILL_TRIES; ; left -= 1) {
    const { bsize, blocks, bfree } = await statfs(path);
    try {
      await resize(path, String((blocks - bfree) * bsize + MARGIN_BYTES));
      return;
    } catch (error) {
      // More was written meanwhile than the new size.
      if (left === 0) throw error;
    }
  }
}

async function resize(path: string, size: string): Promise<void> {
  await run('mount', ['-o', `remount,size=${size}`, path]);
}

/** The kernel closes the pipe when this process dies, which ends the `cat`. */
function unmountAfterUs(path: string): void {
  const script = `
    cat > /dev/null
    for i in $(seq 100); do mountpoint -q "$1" || exit; umount "$1" 2> /dev/null && exit; sleep 0.1; done
    umount -l "$1"`;
  const janitor = spawn('/bin/sh', ['-c', script, 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  janitor.unref();
}
