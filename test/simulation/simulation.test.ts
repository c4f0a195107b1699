/**
 * A seed always gives the same run, a run that fails is shrunk, and the deliberate bugs can still
 * be put into the code.
 *
 * Own process: leftovers of other files would change the order of events.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { type Command, drawCommands } from './command.ts';
import { openInstallation } from './installation.ts';
import { listMutations, root } from './mutations.ts';
import { shortest } from './run-seed.ts';
import { Simulation } from './simulation.ts';
import { tellStory } from './story.ts';

/** All that happens in a seed. */
async function taleOf(seed: number): Promise<readonly string[]> {
  await using installation = await openInstallation();
  using _ = installation.time.install();
  installation.time.draw(seed);
  const simulation = await Simulation.open(installation);
  for (const command of drawCommands(seed, 25)) assert.deepEqual(await simulation.run(command), []);
  assert.deepEqual(await simulation.finish(), []);
  return installation.steps.takeTale();
}

describe('the simulation', () => {
  it('repeats a seed exactly', async () => {
    const first = await taleOf(7);
    assert.ok(first.length > 100, `${first.length} things happened`);
    assert.deepEqual(await taleOf(7), first);
  });

  it('removes steps that the failure does not need', async () => {
    const commands = drawCommands(3, 60);
    const isDeath = ({ kind }: Command): boolean => kind === 'die';
    const fails = async (some: readonly Command[]) =>
      some.filter(isDeath).length >= 2
        ? { seed: 3, commands: some, tales: [], wrong: ['two deaths'] }
        : undefined;
    const failure = await fails(commands);
    assert.ok(failure);
    const { commands: left, wrong } = await shortest(failure, fails);
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['die', 'die'],
    );
    assert.match(tellStory({ commands: left, tales: [], wrong }), /Gateway \d dies.*\n.*Gateway \d dies/);
  });
});

describe('the deliberate bugs', () => {
  it('has at least ten bugs, each of which applies to the code', () => {
    const mutations = listMutations();
    assert.ok(mutations.length >= 10);
    for (const { path } of mutations) {
      execFileSync('git', ['apply', '--check', path], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    }
  });
});
