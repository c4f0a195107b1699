/**
 * `npm run simulate:mutations`: puts each deliberate bug of `mutations/` into a copy of the code,
 * and reports the seed at which the simulation finds it. A bug that 300 seeds do not find is a
 * failure. So is a finding in the unchanged code, which would be mistaken for a bug.
 *
 * Guarantees: files are written only in temporary folders, which are removed at the end.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { startTestCluster } from '../support/test-cluster.ts';
import { listMutations, root } from './mutations.ts';

const SEEDS = 300;
/** The files of the simulation, without `node_modules`. */
const folders = ['src', 'migrations', 'test/support', 'test/simulation', 'test/purchases/fixture.ts'];

const run = promisify(execFile);
const wanted = process.argv.slice(2);
type Trial = { readonly name: string; readonly path: string | undefined };

const mutations = listMutations().filter(({ name }) => wanted.length === 0 || wanted.includes(name));
/** First, because it runs through all seeds. A run that names some bugs has tried it before. */
const asItIs: readonly Trial[] = wanted.length === 0 ? [{ name: 'as-it-is', path: undefined }] : [];
const folder = await mkdtemp(join(tmpdir(), 'oja-mutations-'));
cleanUpAfter(folder);
const cluster = await startTestCluster();
const startedMs = performance.now();
try {
  const waiting = [...asItIs, ...mutations].values();
  await Promise.all(Array.from({ length: availableParallelism() }, () => tryAll(waiting)));
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed();
  console.log(`${mutations.length} deliberate bugs in ${seconds} seconds`);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}

/** One after the other. Other workers take from the same list. */
async function tryAll(waiting: Iterable<Trial>): Promise<void> {
  for (const { name, path } of waiting) {
    const place = join(folder, name);
    await putInto(place, path);
    const found = await simulate(place);
    const isBug = path !== undefined;
    console.log(`${name}: ${found ?? (isBug ? `NOT FOUND in ${SEEDS} seeds` : 'nothing is wrong')}`);
    if (isBug !== (found !== undefined)) process.exitCode = 1;
  }
}

async function putInto(place: string, patch: string | undefined): Promise<void> {
  for (const part of [...folders, 'package.json', 'tsconfig.json']) {
    await cp(join(root, part), join(place, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
  if (patch !== undefined) await run('git', ['apply', patch], { cwd: place, env: awayFromGit() });
}

/**
 * Not in a repository, whatever its folder or a hook's environment; otherwise the patch would apply
 * to that one.
 */
function awayFromGit(): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(rest), GIT_CEILING_DIRECTORIES: dirname(folder) };
}

/** The seed that finds it, and the finding. */
async function simulate(cwd: string): Promise<string | undefined> {
  const program = ['test/simulation/main.ts', '--seeds', `1..${SEEDS}`, '--brief'];
  const env = {
    ...process.env,
    OJA_TEST_CLUSTER: cluster.connectionString,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  try {
    await run(process.execPath, program, { cwd, env, maxBuffer: 2 ** 26 });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const [, seed] = /^seed (\d+) fails/m.exec(stdout) ?? [];
    const [, wrong = ''] = /Then this is wrong:\n([^\n]*)/.exec(stdout) ?? [];
    if (seed === undefined) throw new Error(`the simulation did not run: ${stderr}`, { cause: error });
    return `found at seed ${seed}:${wrong.replace(/\s+/g, ' ')}`;
  }
}
