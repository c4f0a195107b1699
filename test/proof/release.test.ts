/**
 * `npm run release`, from two clones. Its packages are installed into empty projects and used like
 * a merchant and an operator.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { root } from '../../release/run.ts';
import { assertGone, emptyFolder, spawnGateway } from '../e2e/started.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { freePort, killNow, processesIn } from '../support/processes.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'oja-release-'));
cleanUpAfter(folder);
const [first, second] = [join(folder, 'first'), join(folder, 'a second clone')];

function run(command: string, cwd: string, variables: Readonly<Record<string, string>> = {}): string {
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', ...variables };
  return execFileSync('/bin/sh', ['-c', command], { cwd, env, encoding: 'utf8' });
}

/** The packages that `npm ci` installed here, as if it had run there. */
function clone(target: string): void {
  run(`git clone -q "file://${root}" "${target}"`, folder);
  run(`cp -al node_modules "${target}" 2>/dev/null || cp -a node_modules "${target}"`, root);
}

function made(where: string, name: RegExp): string {
  const file = readdirSync(join(where, 'dist')).find((one) => name.test(one));
  assert.ok(file, String(name));
  return join(where, 'dist', file);
}

before(() => {
  clone(first);
  clone(second);
  run('npm run -s release -- --no-image', first);
  run('umask 077; npm run -s release -- --no-image', second, { TZ: 'Asia/Tokyo', LC_ALL: 'C' });
});

describe('npm run release', () => {
  it('makes the same bytes from every clone', () => {
    const files = readdirSync(join(first, 'dist')).sort();
    assert.deepEqual(readdirSync(join(second, 'dist')).sort(), files);
    for (const file of files) {
      const [one, other] = [first, second].map((where) => readFileSync(join(where, 'dist', file)));
      assert.ok(one !== undefined && other !== undefined && one.equals(other), file);
    }
  });

  it('makes everything that a publisher needs, with its checksums', () => {
    for (const name of [
      /^oja-gateway-\d.*\.tgz$/,
      /^oja-client-\d.*\.tgz$/,
      /^oja-embedded-postgres-\d.*\.tgz$/,
      /^create-oja-\d.*\.tgz$/,
      /^oja-client-php-.*\.zip$/,
      /^oja-collections-.*\.zip$/,
      /\.cdx\.json$/,
      /^RELEASE_NOTES\.md$/,
      /^THIRD_PARTY_LICENSES\.md$/,
    ])
      made(first, name);
    run('sha256sum --check --strict SHA256SUMS', join(first, 'dist'));
    const listed = readFileSync(join(first, 'dist', 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n').length;
    assert.equal(listed, readdirSync(join(first, 'dist')).length - 1);
  });

  it('packs the collections for Postman and Bruno', (t) => {
    const listed = spawnSync('unzip', ['-Z1', made(first, /^oja-collections/)], { encoding: 'utf8' });
    if (listed.error !== undefined) return t.skip('unzip is not installed');
    for (const path of ['postman/oja.postman_collection.json', 'bruno/bruno.json'])
      assert.ok(listed.stdout.split('\n').includes(path), path);
  });

  it('leaves the clone unchanged', () => {
    assert.equal(run('git status --porcelain', first), '');
  });
});

const buyer = `
import { Oja } from 'oja-client';
const { OJA_URL: baseUrl, OJA_KEY: key, OJA_SECRET: secret } = process.env;
const oja = new Oja({ key, secret, merchant: 'DEMO', baseUrl });
const { status } = await oja.airtime.buySync({ msisdn: '08031234567', network: 'mtn', amount: '100' });
console.log(status);
`;

const phpBuyer = `<?php
require 'vendor/autoload.php';
echo Oja\\Client::fromEnvironment()->airtime
    ->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100'])->state, "\\n";
`;

describe('the packages in empty projects', () => {
  it('the packages run a gateway and buy from it in empty projects', async (t) => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
    const archives = [/^oja-gateway.*tgz$/, /^oja-client-\d/, /^oja-embedded-postgres/].map((name) =>
      made(first, name),
    );
    const quoted = archives.map((archive) => `"${archive}"`).join(' ');
    run(`npm install --prefer-offline --no-audit --no-fund --loglevel=error ${quoted}`, project);
    writeFileSync(join(project, 'buy.js'), buyer);

    const data = await emptyFolder();
    const port = await freePort();
    const gateway = spawnGateway(join(project, 'node_modules', '.bin', 'oja'), ['start'], data, port);
    const exited = once(gateway, 'exit');
    try {
      await until('it listens', () => gateway.said().includes('admin API'));
      const said = gateway.said();
      const variables = {
        OJA_URL: `http://127.0.0.1:${port}`,
        OJA_KEY: /oja_live_\S+/.exec(said)?.[0] ?? '',
        OJA_SECRET: /Live secret +(\S+)/.exec(said)?.[1] ?? '',
        OJA_MERCHANT: 'DEMO',
      };
      assert.equal(run('node buy.js', project, variables), 'success\n');
      const console_ = /http:\S+(?=\/sign-in)/.exec(said)?.[0];
      assert.equal((await fetch(`${console_}/`)).status, 200);
      if (spawnSync('composer', ['--version']).error !== undefined || spawnSync('unzip').error !== undefined)
        t.diagnostic('Composer or unzip is not installed: the PHP package is not installed');
      else assert.equal(buyInPhp(variables), 'success\n');
    } finally {
      process.kill(gateway.pid ?? 0, 'SIGTERM');
      await exited;
      killNow(processesIn(data));
    }
    await assertGone(data, port);
  });
});

describe('create-oja', () => {
  it('create-oja makes a folder from its package', () => {
    const project = join(folder, 'shop');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    run(`npm install --offline --no-audit --no-fund "${made(first, /^create-oja/)}"`, project);
    const answers = '--profile production --domain shop.example --person ada@shop.example';
    run(`node_modules/.bin/create-oja here ${answers}`, project);
    assert.ok(readdirSync(join(project, 'here')).includes('compose.yaml'));
  });
});

function buyInPhp(variables: Readonly<Record<string, string>>): string {
  const project = join(folder, 'php');
  mkdirSync(project);
  const archive = made(first, /^oja-client-php/);
  const { version } = JSON.parse(readFileSync(join(first, 'package.json'), 'utf8')) as { version: string };
  const manifest = JSON.parse(run(`unzip -p "${archive}" composer.json`, project)) as object;
  const dist = { type: 'zip', url: `file://${archive}` };
  const repositories = [{ type: 'package', package: { ...manifest, dist } }, { packagist: false }];
  const require = { 'oja/client': version };
  writeFileSync(join(project, 'composer.json'), JSON.stringify({ repositories, require }));
  run('composer install --no-interaction --no-progress --quiet', project);
  writeFileSync(join(project, 'buy.php'), phpBuyer);
  return run('php buy.php', project, variables);
}
