/** The process of the simulator: its books after a kill, its start and its end. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  codeOf,
  envFor,
  eventually,
  failedStart,
  MAIN,
  newId,
  openBench,
  post,
  readBooks,
  readyUrl,
  spawnSimulator,
  temporaryFolder,
} from '../simulator/bench.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { until } from '../support/until.ts';

const MTN = { serviceID: 'mtn', amount: '100.00', phone: '08031234567' };

// An id of a purchase belongs to a day.
await awayFromMidnight();

describe('the books', () => {
  it('hold every answered order after SIGKILL under load', async () => {
    await using folder = await temporaryFolder();
    const answered = new Set<string>();
    const sent = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      const { child, url } = await spawnSimulator(folder.path);
      const load = Array.from({ length: 16 }, async () => {
        for (;;) {
          const request_id = newId();
          sent.add(request_id);
          const reply = await post(`${url}/vtpass/api/pay`, { ...MTN, request_id }).catch(() => undefined);
          if (reply === undefined) return;
          assert.equal(codeOf(reply), '000');
          answered.add(request_id);
        }
      });
      await until('orders are answered', () => answered.size >= 10 * (round + 1));
      await sleep(100 * round);
      child.kill('SIGKILL');
      await Promise.all(load);
    }
    const { child, url } = await spawnSimulator(folder.path);
    const delivered = (await readBooks(url)).map((delivery) => delivery.reference);
    assert.equal(new Set(delivered).size, delivered.length, 'nothing twice');
    assert.ok(answered.size >= 20, `${answered.size} answered`);
    assert.deepEqual(
      [...answered].filter((id) => !delivered.includes(id)),
      [],
      'nothing answered is missing',
    );
    assert.deepEqual(
      delivered.filter((id) => !sent.has(id)),
      [],
      'nothing invented',
    );
    child.kill('SIGKILL');
  });
});

describe('the process', () => {
  it('prints its address, and stops cleanly on SIGTERM', async () => {
    await using folder = await temporaryFolder();
    const { child, url } = await spawnSimulator(folder.path);
    assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' });
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('stops when the parent that forked it is killed', async () => {
    await using folder = await temporaryFolder();
    const parent = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { fork } from 'node:child_process';
       fork(${JSON.stringify(MAIN)}, { env: ${JSON.stringify(envFor(folder.path))}, execArgv: [] });`,
    ]);
    const url = await readyUrl(parent);
    parent.kill('SIGKILL');
    await eventually(() =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
  });

  it('refuses a port in use before it opens the books, and all bad settings at once', async () => {
    await using bench = await openBench();
    await bench.pay({ ...MTN, request_id: newId() });
    await appendFile(bench.journal, 'half a li');
    const before = await readFile(bench.journal, 'utf8');
    const port = new URL(bench.url()).port;
    const second = await failedStart({
      OJA_SIMULATOR_PORT: port,
      OJA_SIMULATOR_DIR: join(bench.journal, '..'),
    });
    assert.match(second, /EADDRINUSE/);
    assert.equal(await readFile(bench.journal, 'utf8'), before);
    const bad = await failedStart({ OJA_SIMULATOR_PORT: 'x', OJA_SIMULATOR_NEAR_DUPLICATES: 'maybe' });
    assert.match(bad, /OJA_SIMULATOR_PORT.*OJA_SIMULATOR_NEAR_DUPLICATES/s);
  });
});
