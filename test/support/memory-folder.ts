/** A file system of Linux that is memory, for files of tests, where there is room. */
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfter } from './clean-up-after.ts';

const inMemory = '/dev/shm';
/** A run needs less than two gigabytes. Machines with little memory keep theirs. */
const ROOM_BYTES = 6 * 2 ** 30;

/** The folder for temporary files: in memory where there is room, else the system's. */
export async function memoryFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(inMemory);
    return bavail * bsize >= ROOM_BYTES ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Moves temporary files of this process and its child processes to memory, if there is room.
 * Simulators and gateways would wait for the disk after each change of their files. The folder is
 * removed when this process ends.
 */
export async function keepTemporaryFilesInMemory(): Promise<void> {
  const folder = await mkdtemp(join(await memoryFolder(), 'oja-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // Servers run as another user when the tests run as root.
  process.env.TMPDIR = folder;
}
