/** `oja provider check`: a mapping is tried at the simulator, or at the panel without buying. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { runOja } from './harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-check-'));
const simulator = await startSimulator(readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder }));
after(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const networks = { MTN: '1', DSTV: '2', 'Ikeja Electric': '1', WAEC: '1' };
const KEY = 'simulator-panel-key';

type Check = { readonly what: string; readonly isGood: boolean };

async function check(
  mapping: unknown,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; checks: readonly Check[]; said: string }> {
  const file = join(folder, 'mapping.json');
  await writeFile(file, JSON.stringify(mapping));
  const ran = await runOja(settings, [
    ...['provider', 'check', file, '--simulator', simulator.url, '--json'],
    ...args,
  ]);
  const said = ran.out + ran.err;
  return { code: ran.code, checks: ran.out === '' ? [] : JSON.parse(ran.out).data, said };
}

async function booksOf(): Promise<string> {
  return await (await fetch(`${simulator.url}/books`)).text();
}

describe('a check of a mapping', () => {
  for (const preset of ['msorg', 'adex', 'php', 'smartrecharge']) {
    it(`tries each order of the preset ${preset} at the simulator`, async () => {
      const { code, checks, said } = await check({ preset, networks });
      assert.equal(code, 0, said);
      assert.ok(checks.length >= 4);
      assert.ok(checks.every(({ isGood }) => isGood));
      assert.ok((await booksOf()).includes(`panel-${preset}`));
    });
  }

  it('finds a misspelt field, a path that moves and a network without an id', async () => {
    assert.equal((await check({ preset: 'msorg', networks, tust: {} })).code, 1);
    const moved = { airtime: { request: { path: '/api/topup' } } };
    const { code, checks } = await check({ preset: 'msorg', networks, orders: moved });
    assert.equal(code, 1);
    assert.deepEqual(
      checks.filter(({ isGood }) => !isGood).map(({ what }) => what),
      ['airtime MTN'],
    );
    assert.equal((await check({ preset: 'msorg', networks: { MTN: '1' } })).code, 1);
  });

  it('reads balance and plans at the panel, buys nothing and shows no key', async () => {
    const before = await booksOf();
    const settings = { OJA_PANEL_URL: `${simulator.url}/panel/msorg`, OJA_PANEL_KEY: KEY };
    const { code, checks, said } = await check({ preset: 'msorg', networks }, ['--live'], settings);
    assert.equal(code, 0, said);
    assert.ok(checks.some(({ what }) => what === 'balance'));
    assert.ok(checks.some(({ what }) => what === 'plans MTN'));
    assert.equal(await booksOf(), before);
    assert.ok(!said.includes(KEY));
    assert.equal((await check({ preset: 'msorg', networks }, ['--live'])).code, 1);
    const wrong = await check({ preset: 'msorg', networks }, ['--live'], {
      ...settings,
      OJA_PANEL_KEY: 'no',
    });
    assert.equal(wrong.code, 1);
  });

  it('reads the balance of adex by the login, and requires it', async () => {
    const settings = { OJA_PANEL_URL: `${simulator.url}/panel/adex`, OJA_PANEL_KEY: KEY };
    const without = await check({ preset: 'adex', networks }, ['--live'], settings);
    assert.equal(without.code, 1);
    const OJA_PANEL_LOGIN = 'simulator:simulator-panel-password';
    const { code, said } = await check({ preset: 'adex', networks }, ['--live'], {
      ...settings,
      OJA_PANEL_LOGIN,
    });
    assert.equal(code, 0, said);
    assert.ok(!said.includes(OJA_PANEL_LOGIN));
  });

  it('refuses an invalid address of the simulator', async () => {
    const { code, said } = await check({ preset: 'php', networks }, ['--simulator', 'here']);
    assert.equal(code, 2, said);
  });

  it('refuses a provider without such a file', async () => {
    assert.equal((await check({}, ['--provider', 'vtpass'])).code, 2);
  });
});
