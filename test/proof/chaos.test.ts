/**
 * Chaos in short: faults strike three gateways and a worker while merchants buy, and the books of
 * all sides agree. The time until calm is not checked, because parallel tests use the processors.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Calm } from '../../lab/chaos/calm.ts';
import { drawFaults } from '../../lab/chaos/draw-faults.ts';
import { nothingDelivered } from '../../lab/chaos/judge.ts';
import { faultKinds } from '../../lab/chaos/options.ts';
import { type ClientAnswer, randomFrom } from '../support/load.ts';

const entry = join(import.meta.dirname, '..', '..', 'lab', 'chaos', 'main.ts');
const TIMEOUT_MS = 280_000;
const kinds = [
  ...['kill-gateway', 'freeze-worker', 'kill-database', 'cut-wires'],
  ...['half-open-wires', 'set-clock', 'kill-provider'],
];

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string };

function runChaos(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

test('nothing is lost or bought twice under any fault', { timeout: TIMEOUT_MS }, async (t) => {
  const seed = Number(process.env.OJA_CHAOS_SEED ?? 16);
  const few = ['--hot', '6', '--spread', '3', '--only', kinds.join(',')];
  const { stdout, stderr } = await runChaos(
    ...few,
    '--faults',
    String(kinds.length),
    '--seed',
    String(seed),
    '--json',
  );
  assert.notEqual(stdout, '', stderr);
  const { rows, verdict } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${verdict.purchases} purchases, ${verdict.purchases}`);
  assert.deepEqual(verdict.wrong, [], `seed ${seed}\n${stderr}`);
  assert.deepEqual(rows.map((row: { kind: string }) => row.kind).sort(), kinds.toSorted());
  assert.ok(verdict.delivered > 20, `${verdict.delivered} were delivered`);
});

test('refuses an unknown fault, with the usage', async () => {
  const { code, stderr } = await runChaos('--only', 'earthquake');
  assert.equal(code, 2);
  assert.match(stderr, /earthquake[\s\S]*npm run chaos/);
});

test('a seed draws the same faults again, each kind once before any twice', () => {
  const draw = (seed: number, count: number) => drawFaults(count, faultKinds, randomFrom(seed));
  assert.deepEqual(draw(7, 100), draw(7, 100));
  assert.notDeepEqual(draw(7, 100), draw(8, 100));
  assert.deepEqual(draw(7, 100).slice(0, faultKinds.length).sort(), faultKinds.toSorted());
  assert.deepEqual([draw(7, 100).length, draw(7, 3).length], [100, 3]);
});

test('a run without sales fails', async () => {
  const learn = async (...answers: readonly ClientAnswer['status'][]) => {
    const calm = new Calm();
    const learning = calm.learn(0.01);
    for (const status of answers) calm.onSend()({ by: 'create', status } as ClientAnswer);
    return await learning;
  };
  assert.equal((await learn(200, 422, 200)).perSecond, 200);
  for (const none of [[], [422, 401], [503, 'lost', 'refused']] as const) {
    await assert.rejects(learn(...none), Error);
  }
  assert.deepEqual(nothingDelivered([{ status: 'failed' }, { status: 'success' }]), []);
  assert.deepEqual(nothingDelivered([{ status: 'failed' }]), ['nothing was delivered']);
  assert.deepEqual(nothingDelivered([]), ['nothing was delivered']);
});

test('a program sees the changed clock, and its steady clock is unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-clock-'));
  try {
    const file = join(folder, 'ahead');
    await writeFile(file, '-3600000');
    const program = 'console.log(Date.now(), new Date().getTime(), new Date(5).getTime(), performance.now())';
    const preload = join(import.meta.dirname, '..', '..', 'lab', 'chaos', 'jumping-clock.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', preload, '-e', program], {
      env: { PATH: process.env.PATH, OJA_CHAOS_CLOCK: file },
    });
    const [now, made, fixed, steady] = stdout.trim().split(' ').map(Number);
    const behindMs = [now, made].map((time) => Date.now() - 3_600_000 - (time ?? 0));
    assert.ok(
      behindMs.every((ms) => ms >= 0 && ms < 60_000),
      stdout,
    );
    assert.equal(fixed, 5);
    assert.ok((steady ?? 0) > 0 && (steady ?? 0) < 60_000, stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
