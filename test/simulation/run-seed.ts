/** Runs a seed, and shrinks one that fails to the shortest list of commands that still fails. */
import { type Command, drawCommands } from './command.ts';
import { type Installation, openInstallation } from './installation.ts';
import { Simulation } from './simulation.ts';

export type Failure = {
  readonly seed: number;
  readonly commands: readonly Command[];
  /** The events of each step, and of the end. */
  readonly tales: readonly (readonly string[])[];
  readonly wrong: readonly string[];
};

/** Undefined if all checks passed. */
export async function runSeed(
  installation: Installation,
  seed: number,
  steps: number,
): Promise<Failure | undefined> {
  return await runCommands(installation, seed, drawCommands(seed, steps));
}

async function runCommands(
  installation: Installation,
  seed: number,
  commands: readonly Command[],
): Promise<Failure | undefined> {
  installation.time.draw(seed);
  const tales: (readonly string[])[] = [];
  const { steps } = installation;
  steps.takeTale();
  const simulation = await Simulation.open(installation);
  try {
    for (const [index, command] of commands.entries()) {
      const wrong = await simulation.run(command);
      tales.push(steps.takeTale());
      if (wrong.length > 0) return { seed, commands: commands.slice(0, index + 1), tales, wrong };
    }
    const wrong = await simulation.finish();
    tales.push(steps.takeTale());
    return wrong.length > 0 ? { seed, commands, tales, wrong } : undefined;
  } catch (error) {
    tales.push(steps.takeTale());
    const why = error instanceof Error ? error.stack : error;
    return { seed, commands, tales, wrong: [`the simulation broke: ${why}`] };
  } finally {
    await simulation.close();
  }
}

/** More would take minutes. */
const TRIES_MAX = 300;

/** Each attempt has a separate installation, because a failure leaves rows behind. */
export function shrink(failure: Failure): Promise<Failure> {
  return shortest(failure, (commands) => runAlone(failure.seed, commands));
}

/**
 * Leaves out commands while the rest still fails, larger parts first, until each remaining one is
 * needed.
 */
export async function shortest(
  failure: Failure,
  run: (commands: readonly Command[]) => Promise<Failure | undefined>,
): Promise<Failure> {
  let found = failure;
  let tries = 0;
  let size = Math.ceil(failure.commands.length / 2);
  while (size >= 1) {
    let isShorter = false;
    for (let start = 0; start < found.commands.length && tries < TRIES_MAX; ) {
      tries += 1;
      const again = await run(found.commands.toSpliced(start, size));
      if (again === undefined) start += size;
      else [found, isShorter] = [again, true];
    }
    if (size === 1 && !isShorter) break;
    size = Math.max(1, Math.floor(size / 2));
  }
  return found;
}

/** In a fresh installation, as `--seed` runs it. */
export async function runAlone(seed: number, commands: readonly Command[]): Promise<Failure | undefined> {
  await using installation = await openInstallation();
  using _ = installation.time.install();
  return await runCommands(installation, seed, commands);
}
