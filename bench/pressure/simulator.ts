/** The simulated providers as a separate process, and the way in which a row makes them fail. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownRoot } from '../gateway.ts';

const START_MS = 20_000;

type Rule = { readonly fault: string; readonly [detail: string]: unknown };

export type Delivery = { readonly provider: string; readonly delivered_at: string };

export type Simulator = AsyncDisposable & {
  readonly url: string;
  /** Replaces the rules of misbehaviour. */
  misbehave(...rules: readonly Rule[]): Promise<void>;
  /** How many calls have met a rule since. */
  strikes(): Promise<number>;
  deliveries(): Promise<Delivery[]>;
  /** Restarts it at the same address with empty books. */
  forgetAll(): Promise<void>;
};

export async function startSimulator(
  dir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Simulator> {
  let books = 1;
  let child = run(dir, books, { OJA_SIMULATOR_PORT: '0', ...settings });
  const url = await readUrl(child);
  const { port } = new URL(url);
  return {
    url,
    misbehave: async (...rules) => {
      const answer = await fetch(`${url}/faults`, {
        method: 'PUT',
        body: JSON.stringify({ seed: 1, rules }),
      });
      if (!answer.ok) throw new Error(`the simulator refuses the rules: ${await answer.text()}`);
    },
    strikes: async () => {
      const { rules } = (await (await fetch(`${url}/faults`)).json()) as { rules: { hits: number }[] };
      return rules.reduce((total, rule) => total + rule.hits, 0);
    },
    deliveries: async () => {
      const text = await (await fetch(`${url}/books`)).text();
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Delivery);
    },
    forgetAll: async () => {
      await stop(child);
      books += 1;
      child = run(dir, books, { ...settings, OJA_SIMULATOR_PORT: port });
      await readUrl(child);
    },
    [Symbol.asyncDispose]: () => stop(child),
  };
}

function run(dir: string, books: number, settings: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [join(ownRoot, 'simulator', 'main.ts')], {
    // With a channel to this process it stops when this process ends.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, ...settings, OJA_SIMULATOR_DIR: join(dir, `simulator-${books}`) },
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error('the simulator did not start in time')), START_MS);
    child.once('exit', () => reject(new Error('the simulator stopped at once')));
    child.stdout?.setEncoding('utf8').on('data', function read(text: string) {
      said += text;
      const url = /listening on (http:\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', read).resume();
      resolve(url);
    });
  });
}
