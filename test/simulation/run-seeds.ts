/** Runs seeds one after the other, and audits the resulting books. */
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { drawCommands } from './command.ts';
import { type Installation, openInstallation } from './installation.ts';
import { type Failure, runSeed } from './run-seed.ts';

/** A database of many more seeds makes each of them slower. */
const SEEDS_PER_DATABASE = 200;

export type Seeds = {
  readonly first: number;
  readonly last: number;
  /** One of this many seeds runs. */
  readonly every: number;
  readonly steps: number;
  /** Called after each audit, with the number of seeds that ran. */
  readonly onProgress: (done: number) => void;
};

/** The first that fails. Undefined if all passed. */
export async function runSeeds({
  first,
  last,
  every,
  steps,
  onProgress,
}: Seeds): Promise<Failure | undefined> {
  for (let from = first; from <= last; from += SEEDS_PER_DATABASE) {
    const to = Math.min(last, from + SEEDS_PER_DATABASE - 1);
    const failure = await runBatch(from, to, every, steps);
    if (failure !== undefined) return failure;
    onProgress(to - first + 1);
  }
  return undefined;
}

async function runBatch(
  first: number,
  last: number,
  every: number,
  steps: number,
): Promise<Failure | undefined> {
  await using installation = await openInstallation();
  using _ = installation.time.install();
  for (let seed = first; seed <= last; seed += every) {
    const failure = await runSeed(installation, seed, steps);
    if (failure !== undefined) return failure;
  }
  const wrong = await audit(installation);
  if (wrong.length === 0) return undefined;
  const commands = drawCommands(last, steps);
  return { seed: last, commands, tales: [], wrong: [`after the seeds from ${first}:`, ...wrong] };
}

async function audit({ server }: Installation): Promise<string[]> {
  const { checks } = await server.run(() => auditPurchases(server.database));
  return checks.filter(({ ok }) => !ok).map(({ name, count }) => `audit: ${name} (${count})`);
}
