/** Background jobs: their schedule, their reported state, and their shutdown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { Job, JobState, Round } from '../../src/core/job.ts';
import { createLog } from '../../src/core/log.ts';
import { type RunningJobs, startJobs } from '../../src/core/run-jobs.ts';
import { until } from '../support/until.ts';

const log = createLog('silent');

function job(over: Partial<Job> & { run?: () => Promise<unknown>; idleMs?: number } = {}): Job {
  return {
    name: 'errands',
    role: 'worker',
    everyMs: 5,
    failure: 'cannot run errands',
    run: async () => 1,
    ...over,
  };
}

function start(
  jobs: readonly Job[],
  role: 'api' | 'worker' | 'all' = 'all',
  clock = systemClock,
): RunningJobs {
  return startJobs(jobs, { role, clock, log });
}

function stateOf(jobs: RunningJobs, name = 'errands'): JobState {
  const state = jobs.states().find((one) => one.name === name);
  assert.ok(state, `${name} is a job of this process`);
  return state;
}

type Steps = Clock & { step(ms: number): void };

function steppedClock(): Steps {
  let ms = 0;
  return {
    now: () => new Date(ms),
    elapsedMs: () => ms,
    step: (by) => {
      ms += by;
    },
  };
}

/** A promise and the function that settles it. */
const gate = () => Promise.withResolvers<void>();

test('a process runs the jobs of its role', async () => {
  const jobs = (['api', 'worker', 'all'] as const).map((role) => job({ name: role, role }));
  for (const [role, names] of [
    ['api', ['api', 'all']],
    ['worker', ['worker', 'all']],
    ['all', ['api', 'worker', 'all']],
  ] as const) {
    await using running = start(jobs, role);
    assert.deepEqual(
      running.states().map(({ name }) => name),
      names,
    );
  }
});

test('spreads jobs with the same interval after their first run', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const runs: string[] = [];
  const named = (name: string): Job => job({ name, everyMs: 100, run: async () => runs.push(name) });
  await using _running = start([named('one'), named('other')]);
  const pass = async (ms: number): Promise<string[]> => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return runs.splice(0);
  };
  assert.deepEqual(await pass(0), ['one', 'other']);
  assert.deepEqual(await pass(50), ['one']);
  assert.deepEqual(await pass(50), ['other']);
  assert.deepEqual(await pass(49), []);
  assert.deepEqual(await pass(1), ['one']);
  assert.deepEqual(await pass(50), ['other']);
});

test('pauses for longer after a run that found no work, and not after a failed one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const found = [3, 0, 0, 1];
  let runs = 0;
  const run = async (): Promise<number> => {
    runs += 1;
    return found.shift() ?? assert.fail('no more');
  };
  await using _running = start([job({ run, everyMs: 10, idleMs: 100 })]);
  const pass = async (ms: number): Promise<number> => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return runs;
  };
  assert.equal(await pass(0), 1);
  assert.equal(await pass(10), 2);
  // The pause after the first run spreads the jobs. The second run found none.
  assert.deepEqual([await pass(99), await pass(1)], [2, 3]);
  assert.deepEqual([await pass(99), await pass(1)], [3, 4]);
  assert.deepEqual([await pass(9), await pass(1)], [4, 5]);
  assert.deepEqual([await pass(9), await pass(1)], [5, 6]);
});

test('a job runs at once and at each interval, never twice at the same time', async () => {
  let [now, most] = [0, 0];
  const run = async (): Promise<void> => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 3));
    now -= 1;
  };
  await using running = start([job({ run, everyMs: 0 })]);
  assert.equal(stateOf(running).runs, 0);
  await until('several runs', () => stateOf(running).runs > 5);
  assert.equal(most, 1);
  const { failures, lastError, lastOkAt } = stateOf(running);
  assert.deepEqual([failures, lastError], [0, undefined]);
  assert.ok(lastOkAt);
});

test('counts a failure by its kind, logs it, and continues the job', async () => {
  const lines: string[] = [];
  const told = createLog('info', { write: (line: string) => void lines.push(line) });
  const errors: unknown[] = [
    Object.assign(new Error('the secret is 4711'), { code: 'ECONNREFUSED' }),
    new TypeError('the secret is 4711'),
    Object.assign(new Error('x'), { code: 'the secret is 4711' }),
    'the secret is 4711',
    undefined,
  ];
  const kinds: (string | undefined)[] = [];
  let runs = 0;
  const run = async (): Promise<void> => {
    if (runs > 0) kinds.push(stateOf(running).lastError);
    runs += 1;
    if (runs <= errors.length) throw errors[runs - 1];
  };
  await using running = startJobs([job({ run })], { role: 'all', clock: systemClock, log: told });
  await until('a run that ends well', () => stateOf(running).lastOkAt !== undefined);
  assert.deepEqual(kinds.slice(0, 5), ['ECONNREFUSED', 'TypeError', 'Error', 'string', 'undefined']);
  const { failures, lastError } = stateOf(running);
  assert.deepEqual([failures, lastError], [5, undefined]);
  assert.equal(lines.filter((line) => line.includes('cannot run errands')).length, 5);
  assert.ok(!JSON.stringify(running.states()).includes('4711'));
});

test('a job is late after three intervals without a success, and half a minute at least', async () => {
  const clock = steppedClock();
  let fails = true;
  const run = async (): Promise<void> => {
    if (fails) throw new RangeError('no');
  };
  const jobs = [
    job({ name: 'often', run, everyMs: 1 }),
    job({ name: 'seldom', everyMs: 60_000, run: () => new Promise(() => undefined), stopWithinMs: 0 }),
  ];
  await using running = start(jobs, 'all', clock);
  const late = (): string[] => running.late().map(({ name, lastError }) => `${name} ${lastError}`);
  await until('a failure', () => stateOf(running, 'often').failures > 0);
  assert.deepEqual(late(), []);
  clock.step(30_000);
  assert.deepEqual(late(), []);
  clock.step(1);
  assert.deepEqual(late(), ['often RangeError']);
  clock.step(150_000);
  assert.deepEqual(late(), ['often RangeError', 'seldom undefined']);
  fails = false;
  await until('a success', () => stateOf(running, 'often').lastOkAt !== undefined);
  assert.deepEqual(late(), ['seldom undefined']);
});

test('starts nothing after a shutdown, waits for running jobs, and then aborts them', async () => {
  const order: string[] = [];
  const work = gate();
  const run = async (): Promise<void> => {
    order.push('run');
    await work.promise;
    order.push('ran');
  };
  const finish = async (): Promise<void> => void order.push('finish');
  const running = start([job({ run, finish, everyMs: 0 })]);
  await until('it runs', () => order.length === 1);
  const stopped = running[Symbol.asyncDispose]().then(() => order.push('stopped'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(order, ['run']);
  work.resolve();
  await stopped;
  assert.deepEqual(order, ['run', 'ran', 'finish', 'stopped']);
});

test('stops heartbeats last', async () => {
  const beats = job({ name: 'heartbeat', untilDrained: true, everyMs: 0 });
  const running = start([beats, job()]);
  await until('both ran', () => running.states().every(({ runs }) => runs > 0));
  await running.stopWork();
  const [before, others] = [stateOf(running, 'heartbeat').runs, stateOf(running).runs];
  await until('the heart beats', () => stateOf(running, 'heartbeat').runs > before + 3);
  assert.equal(stateOf(running).runs, others);
  await running[Symbol.asyncDispose]();
  const last = stateOf(running, 'heartbeat').runs;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(stateOf(running, 'heartbeat').runs, last);
});

test('a stop waits no longer for a job than the job allows', async () => {
  const never = new Promise<void>(() => undefined);
  let began = false;
  const run = (): Promise<void> => {
    began = true;
    return never;
  };
  const running = start([job({ run, stopWithinMs: 20 })]);
  await until('it runs', () => began);
  await running[Symbol.asyncDispose]();
});

test('a finish that fails is noted, and does not break the stop', async () => {
  const running = start([
    job({ everyMs: 60_000, finish: () => Promise.reject(new Error('the database is away')) }),
  ]);
  await until('it ran', () => stateOf(running).runs === 1);
  await running[Symbol.asyncDispose]();
  assert.deepEqual([stateOf(running).runs, stateOf(running).failures], [2, 1]);
});

test('a loop decides when it runs; its rounds are counted like runs', async () => {
  let round: Round | undefined;
  let disposed = false;
  const loop = (given: Round): AsyncDisposable => {
    round = given;
    return {
      [Symbol.asyncDispose]: async () => {
        disposed = true;
      },
    };
  };
  const running = start([{ name: 'errands', role: 'worker', everyMs: 200, failure: 'cannot', loop }]);
  assert.equal(await round?.(async () => 'work'), 'work');
  assert.equal(await round?.(() => Promise.reject(new SyntaxError('no'))), undefined);
  const { runs, failures, lastError } = stateOf(running);
  assert.deepEqual([runs, failures, lastError], [2, 1, 'SyntaxError']);
  await running[Symbol.asyncDispose]();
  assert.ok(disposed);
});
