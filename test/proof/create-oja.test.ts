/** `npx create-oja`, installed from the packed tarball in an empty project. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { packPackage } from '../../release/stage-package.ts';
import { loadConfig } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { faultsOfCompose, readCompose } from '../deploy/compose-file.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const root = join(import.meta.dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'create-oja-'));
cleanUpAfter(project);

const shop = ['--domain', 'shop.example', '--person', 'ada@shop.example'];
const production = ['--profile', 'production', ...shop];

/** A program of util-linux, which runs a program on its own terminal; a machine may lack it. */
const [terminal = ''] = ['script'];

type Ran = { readonly status: number | null; readonly out: string; readonly error: string };

function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Ran {
  const program = join(project, 'node_modules', '.bin', 'create-oja');
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...variables },
    input: '',
  });
  return { status, out: stdout, error: stderr };
}

function npm(args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** Each file of a folder with its contents, mode and time. */
function lookAt(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { mode, mtimeMs } = statSync(path);
      return [path, `${mode} ${mtimeMs} ${readFileSync(path, 'utf8')}`];
    }),
  );
}

function variablesOf(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, '.env'), 'utf8').split('\n');
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1).replaceAll("'", ''),
      ]),
  );
}

/** A valid value of the setting. */
function exampleOf(name: string): string {
  if (name.endsWith('_URL')) return 'https://panel.example';
  if (name.endsWith('_EMAIL')) return 'ops@shop.example';
  if (name.endsWith('_MAPPING')) return '{"preset":"msorg","networks":{"MTN":"1"}}';
  return '12345';
}

function mode(...path: string[]): number {
  return statSync(join(project, ...path)).mode & 0o777;
}

before(() => {
  const packed = packPackage('packages/create-oja', project);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], project);
});

describe('create-oja', () => {
  it('carries the files of the repository', () => {
    const template = join(project, 'node_modules', 'create-oja', 'template');
    const names = readdirSync(template, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    assert.ok(names.length > 10);
    for (const { parentPath, name } of names) {
      const path = join(parentPath, name);
      const source = join(root, path.slice(template.length));
      assert.equal(readFileSync(path, 'utf8'), readFileSync(source, 'utf8'));
    }
  });

  it('makes a production that Docker Compose and the gateway accept', () => {
    const given = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'PK_b', OJA_VTPASS_SECRET_KEY: 'SK_$c' };
    const { status, out } = run(['shop', ...production, '--provider', 'vtpass'], given);
    assert.equal(status, 0);
    assert.equal(out.match(/^\d\. /gm)?.length, 3);
    for (const value of Object.values(given)) assert.ok(!out.includes(value) || value === 'a');

    assert.deepEqual([mode('shop', '.env'), mode('shop', 'secrets')], [0o600, 0o700]);
    const text = readFileSync(join(project, 'shop', 'compose.yaml'), 'utf8');
    assert.deepEqual(faultsOfCompose(text), []);
    const variables = variablesOf(join(project, 'shop'));
    const { services, secrets = {} } = readCompose(text, variables);
    const gateway = services['gateway-1'];
    assert.ok(gateway !== undefined && gateway.build === undefined);
    for (const { file } of Object.values(secrets)) {
      assert.match(readFileSync(join(project, 'shop', file), 'utf8'), /^[0-9a-f]{64}$/);
    }
    for (const volume of Object.values(services).flatMap(({ volumes = [] }) => volumes)) {
      const [path = ''] = volume.split(':');
      if (path.startsWith('./')) assert.ok(existsSync(join(project, 'shop', path)), path);
    }

    const { OJA_ENCRYPTION_KEY_FILE: _, ...environment } = gateway.environment ?? {};
    const key = readFileSync(join(project, 'shop', 'secrets', 'encryption_key'), 'utf8');
    const config = loadConfig(
      { ...variables, ...environment, OJA_PROFILE: 'production', OJA_ENCRYPTION_KEY: key },
      registriesOf({}),
    );
    assert.equal(config.providers.has('vtpass'), true);
    assert.equal(config.faces.console.url, 'https://console.shop.example');
  });

  it('changes nothing when it runs again, and adds missing parts', () => {
    const args = ['again', ...production];
    assert.equal(run(args).status, 0);
    const first = lookAt(join(project, 'again'));
    assert.equal(run(args).status, 0);
    assert.deepEqual(lookAt(join(project, 'again')), first);
    rmSync(join(project, 'again', 'compose.yaml'));
    writeFileSync(join(project, 'again', '.gitignore'), 'mine\n');
    assert.equal(run([...args, '--provider', 'nomba']).status, 0);
    assert.equal(readFileSync(join(project, 'again', '.gitignore'), 'utf8'), 'mine\n');
    assert.ok(existsSync(join(project, 'again', 'compose.yaml')));
    const env = join(project, 'again', '.env');
    assert.equal(lookAt(join(project, 'again'))[env], first[env]);
  });

  it('closes a folder of secrets that was open', () => {
    mkdirSync(join(project, 'open', 'secrets'), { recursive: true, mode: 0o755 });
    assert.equal(run(['open', ...production]).status, 0);
    assert.equal(mode('open', 'secrets'), 0o700);
  });

  it('uses a database of your own', () => {
    const url = 'postgresql://oja:p$w@db.example:5432/oja';
    assert.equal(run(['own', ...production, '--database', url]).status, 0);
    const override = readFileSync(join(project, 'own', 'compose.override.yaml'), 'utf8');
    assert.deepEqual(faultsOfCompose(override), []);
    const text = readFileSync(join(project, 'own', 'compose.yaml'), 'utf8');
    const { services } = readCompose(text, variablesOf(join(project, 'own')));
    assert.equal(services['gateway-1']?.environment?.DATABASE_URL, url);
  });

  it('makes a production for systemd', () => {
    const database = 'postgresql://oja:pw@127.0.0.1:5432/oja';
    assert.equal(run(['unit', ...production, '--run', 'systemd', '--database', database]).status, 0);
    assert.equal(mode('unit', '.env'), 0o600);
    const unit = readFileSync(join(project, 'unit', 'oja.service'), 'utf8');
    assert.ok(unit.includes(`\nEnvironmentFile=${join(project, 'unit', '.env')}\n`));
    assert.doesNotMatch(unit, /KEY|postgresql:/);
    const config = loadConfig(
      { ...variablesOf(join(project, 'unit')), OJA_PROFILE: 'production' },
      registriesOf({}),
    );
    assert.equal(config.databaseUrl, database);
    assert.ok(config.encryptionKey !== undefined);
  });

  it('makes a demo', () => {
    assert.equal(run(['demo', '--profile', 'demo']).status, 0);
    const text = readFileSync(join(project, 'demo', 'compose.yaml'), 'utf8');
    assert.deepEqual(faultsOfCompose(text), []);
    assert.equal(readCompose(text, variablesOf(join(project, 'demo'))).services.demo?.build, undefined);
    assert.equal(mode('demo', '.env'), 0o600);
  });

  it('accepts every provider of the gateway, with all settings that its account needs', () => {
    const live = builtInProviders.filter(({ environment }) => environment !== 'test');
    for (const { name: provider, settings = {} } of live) {
      const answers = [provider, ...production, '--provider', provider];
      const names = [...Object.keys(settings), 'OJA_BUSINESS_NAME', 'OJA_CONTACT_EMAIL'];
      const given = Object.fromEntries(names.map((name) => [name, exampleOf(name)]));
      assert.equal(run(answers, given).status, 0, provider);
      const variables = variablesOf(join(project, provider));
      const config = loadConfig(
        {
          ...variables,
          OJA_PROFILE: 'production',
          DATABASE_URL: 'postgresql://db/oja',
          OJA_ENCRYPTION_KEY: '5'.repeat(64),
        },
        registriesOf({}),
      );
      assert.ok(config.providers.has(provider), provider);
    }
  });

  it('prompts on a terminal, repeats after a bad answer, and accepts defaults', {
    skip: spawnSync(terminal, ['--version']).status === 0 ? false : 'there is no script here',
  }, () => {
    const program = join(project, 'node_modules', '.bin', 'create-oja');
    const typed = [
      'production',
      '',
      'https://shop',
      'shop.example',
      'ada@shop.example',
      '',
      '',
      'vtpass',
      '',
    ];
    const { status } = spawnSync(terminal, ['-qec', `${program} asked`, '/dev/null'], {
      cwd: project,
      input: `${typed.join('\n')}\n`,
      encoding: 'utf8',
    });
    assert.equal(status, 0);
    const variables = variablesOf(join(project, 'asked'));
    assert.deepEqual([variables.DOMAIN, variables.EMAIL], ['shop.example', 'ada@shop.example']);
    assert.equal(variables.OJA_VTPASS_API_KEY, '');
  });

  const bad: Readonly<Record<string, readonly string[]>> = {
    'no folder': production,
    'two folders': ['a', 'b', ...production],
    'a folder with a blank': ['a b', ...production],
    'an unknown option': ['a', ...production, '--colour', 'blue'],
    'no profile': ['a', ...shop],
    'an unknown profile': ['a', '--profile', 'staging'],
    'no domain': ['a', '--profile', 'production', '--person', 'ada@shop.example'],
    'a domain with a scheme': ['a', ...production, '--domain', 'https://shop.example'],
    'a domain with a port': ['a', ...production, '--domain', 'shop.example:443'],
    'a domain of one word': ['a', ...production, '--domain', 'shop'],
    'a domain with a line break': ['a', ...production, '--domain', 'shop.example\nOJA_ROLE=api'],
    'no person': ['a', '--profile', 'production', '--domain', 'shop.example'],
    'a person who is no address': ['a', ...production, '--person', 'ada'],
    'a person with a command': ['a', ...production, '--person', 'a@b.c;id'],
    'an unknown provider': ['a', ...production, '--provider', 'acme'],
    'a database of another kind': ['a', ...production, '--database', 'mysql://db/oja'],
    'a database with a quote': ['a', ...production, '--database', "postgresql://oja:'@db/oja"],
    'systemd without a database': ['a', ...production, '--run', 'systemd'],
    'an image with a blank': ['a', ...production, '--image', 'oja latest'],
    'a domain in the demo': ['a', '--profile', 'demo', '--domain', 'shop.example'],
  };
  for (const [what, args] of Object.entries(bad)) {
    it(`refuses ${what}, and writes nothing`, () => {
      const { status, error } = run(args);
      assert.deepEqual([status, existsSync(join(project, 'a'))], [2, false], error);
      assert.notEqual(error, '');
    });
  }

  it('refuses keys that would break their line, and quotes none', () => {
    const key = "a'\nOJA_ROLE=api";
    const { status, error } = run(['a', ...production, '--provider', 'vtpass'], { OJA_VTPASS_API_KEY: key });
    assert.deepEqual([status, error.includes(key), existsSync(join(project, 'a'))], [2, false, false]);
    const database = 'mysql://oja:hidden@db/oja';
    assert.ok(!run(['a', ...production, '--database', database]).error.includes('hidden'));
  });

  it('refuses a folder with other contents, and leaves it unchanged', () => {
    assert.equal(run(['taken', '--profile', 'demo']).status, 0);
    const before = lookAt(join(project, 'taken'));
    assert.equal(run(['taken', ...production]).status, 2);
    assert.deepEqual(lookAt(join(project, 'taken')), before);
    mkdirSync(join(project, 'theirs'));
    writeFileSync(join(project, 'theirs', '.env'), 'A=1\n');
    assert.equal(run(['theirs', ...production]).status, 2);
    assert.deepEqual(readdirSync(join(project, 'theirs')), ['.env']);
    writeFileSync(join(project, 'file'), '');
    assert.equal(run(['file', ...production]).status, 2);
  });
});
