/**
 * Measures how much of the rooms that move money `npm test` runs, with Node's own coverage: `npm
 * run coverage [-- file ...]`. Each file has a separate process, so it takes several times as long
 * as `npm test`. Code in separate gateway processes does not count.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { filesOf, root } from '../runner/layers.ts';
import { globalSetup, globalTeardown } from './global-setup.ts';

const rooms = ['purchases', 'wallet', 'funding'];
/** The rooms, and each of their folders. */
const parts = rooms.flatMap((room) => {
  const inside = readdirSync(join(root, 'src', room), { withFileTypes: true });
  return [room, ...inside.filter((each) => each.isDirectory()).map(({ name }) => `${room}/${name}`)];
});

const named = process.argv.slice(2);
const files = named.length > 0 ? named : [...new Set(filesOf('test').map(({ path }) => path))];

await globalSetup();
try {
  const events = run({
    files: files.map((file) => join(root, file)),
    cwd: root,
    concurrency: 2 * availableParallelism(),
    execArgv: [`--import=${join(root, 'test', 'runner', 'without-async-hooks.ts')}`],
    forceExit: true,
    coverage: true,
    coverageIncludeGlobs: rooms.map((room) => `src/${room}/**`),
  });
  for await (const { type, data } of events) {
    if (type === 'test:fail') {
      process.exitCode = 1;
      console.log(`failed: ${data.file}: ${data.name}`);
    }
    if (type === 'test:coverage') printRooms(data.summary.files);
  }
} finally {
  await globalTeardown();
}

type Covered = {
  readonly path: string;
  readonly coveredLineCount: number;
  readonly totalLineCount: number;
  readonly coveredBranchCount: number;
  readonly totalBranchCount: number;
};

function printRooms(covered: readonly Covered[]): void {
  for (const room of parts) {
    const inRoom = covered.filter(({ path }) => path.startsWith(join(root, 'src', room, '/')));
    const sum = (pick: (file: Covered) => number): number =>
      inRoom.reduce((total, file) => total + pick(file), 0);
    const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
    const lines = share(
      sum((file) => file.coveredLineCount),
      sum((file) => file.totalLineCount),
    );
    const branches = share(
      sum((file) => file.coveredBranchCount),
      sum((file) => file.totalBranchCount),
    );
    console.log(`src/${room}: lines ${lines}, branches ${branches}`);
  }
}
