/** Commands of `oja cluster` that are killed. With arguments this is the process that runs one. */
import { spawn } from 'node:child_process';
import { openBenchDatabase } from '../../bench/cluster.ts';
import { ClusterError } from '../../src/operate/cluster/cluster-error.ts';
import { moveCell } from '../../src/operate/cluster/move-cell.ts';
import { upgradeCluster } from '../../src/operate/cluster/upgrade-cluster.ts';

const BUSY = 41;

type Outcome = 'done' | 'killed' | 'busy';

/**
 * Runs a command and kills it when `strike` resolves. `busy`: it was refused, or undone, and can be
 * repeated. Throws if it failed otherwise.
 */
export async function runKilled(args: readonly string[], strike: Promise<void>): Promise<Outcome> {
  const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: 'inherit' });
  void strike.then(() => child.kill('SIGKILL'));
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  if (code === 0) return 'done';
  if (code === null) return 'killed';
  if (code === BUSY) return 'busy';
  throw new Error(`${args[0]} failed with ${code}`);
}

async function runCommand([name, url = '', ...args]: readonly string[]): Promise<void> {
  if (name === 'upgrade') {
    await upgradeCluster(url, args[0]);
    return;
  }
  const [number, host = '', port] = args;
  await using coordinator = openBenchDatabase(url, 1);
  await moveCell(coordinator, url, Number(number), { host, port: Number(port) });
}

if (import.meta.main) {
  try {
    await runCommand(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'cluster_busy') throw error;
    process.exitCode = BUSY;
  }
}
