/**
 * `npm run simulate`: runs seeds, and prints the shortest failing list of commands.
 *
 * npm run simulate -- --seed 7 --steps 40 npm run simulate -- --seeds 1..10000 OJA_TEST_CELLS=8 npm
 * run simulate -- --seeds 1..10000 --every 3
 *
 * With `--brief` a failure is not shrunk.
 */
import { parseArgs } from 'node:util';
import { drawCommands, STEPS } from './command.ts';
import { type Failure, runAlone, shrink } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';
import { tellStory } from './story.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    steps: { type: 'string' },
    every: { type: 'string', default: '1' },
    brief: { type: 'boolean', default: false },
  },
});
const { first, last } = readSeeds(values.seed ?? values.seeds ?? '1..200');
const steps = readNumber(values.steps ?? `${STEPS}`);
const every = readNumber(values.every);
const failure =
  first === last
    ? await runAlone(first, drawCommands(first, steps))
    : await runSeeds({ first, last, every, steps, onProgress: (done) => console.log(`${done} seeds`) });
if (failure === undefined) {
  console.log(`seeds ${first} to ${last}, ${steps} steps each: nothing is wrong`);
} else {
  console.log(`seed ${failure.seed} fails:\n${tellStory(failure)}`);
  if (!values.brief) await tellShortest(failure);
  process.exitCode = 1;
}

async function tellShortest(failure: Failure): Promise<void> {
  const alone = await runAlone(failure.seed, failure.commands);
  if (alone === undefined) {
    console.log('\nBy itself the seed does not fail: it needs what the seeds before it left.');
    return;
  }
  console.log(`\nThe shortest story of it:\n${tellStory(await shrink(alone))}`);
}

function readSeeds(text: string): { readonly first: number; readonly last: number } {
  const [first = '', last = first] = text.split('..');
  return { first: readNumber(first), last: readNumber(last) };
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`"${text}" is no whole number above zero`);
  return number;
}
