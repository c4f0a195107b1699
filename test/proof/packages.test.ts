/** The packages of a release, as npm and Composer install them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { templateFiles } from '../../packages/create-oja/src/template.js';
import { packageFolders } from '../../release/manifest.ts';
import { root, run } from '../../release/run.ts';
import { stagePackage } from '../../release/stage-package.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

run('npm', ['run', 'build', '-w', 'sdk']);
if (!existsSync(join(root, 'console', 'dist', 'licenses.json'))) run('npm', ['run', 'console']);

type Published = {
  readonly name: string;
  readonly license?: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: unknown;
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

type Staged = { readonly folder: string; readonly stage: string; readonly manifest: Published };

function stage(folder: string): Staged {
  const place = mkdtempSync(join(tmpdir(), 'oja-package-'));
  cleanUpAfter(place);
  stagePackage(folder, place, new Map());
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Published;
  return { folder, stage: place, manifest };
}

const packages = packageFolders().map(stage);

/** The paths that npm would publish. */
function published({ stage }: Staged): readonly string[] {
  const said = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], stage)) as object;
  const [{ files }] = Object.values(said) as [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => path);
}

/** Matches an import of a file: the end of a statement, or a call. */
const imports = /(?:^(?:import|export|\}).*? from |import\()'([^']+)'(?:;$|\))/gm;

function targets(exported: unknown): readonly string[] {
  if (typeof exported === 'string') return [exported];
  return Object.values((exported ?? {}) as Record<string, unknown>).flatMap(targets);
}

describe('the npm packages', () => {
  it('the packages are the documented ones', () => {
    const names = packages.map(({ manifest }) => manifest.name);
    for (const name of ['oja-gateway', 'oja-client', '@oja/embedded-postgres', 'create-oja'])
      assert.ok(names.includes(name));
  });

  for (const one of packages) {
    describe(one.manifest.name, () => {
      const { folder, stage, manifest } = one;
      const files = published(one);

      it('states the facts that a registry shows and that provenance needs', () => {
        assert.equal(manifest.license, 'Apache-2.0');
        assert.ok(manifest.description);
        assert.match(manifest.repository?.url ?? '', /^git\+https:\/\/.+\.git$/);
        assert.equal(manifest.repository?.directory, folder === '.' ? undefined : folder);
        assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
        assert.equal(manifest.private, undefined);
        assert.equal(manifest.scripts, undefined);
        assert.equal(manifest.devDependencies, undefined);
      });

      it('contains its license, its page and everything that its manifest names', () => {
        const named = [...targets(manifest.bin), ...targets(manifest.exports)].map((path) =>
          path.replace(/^\.\//, ''),
        );
        for (const path of ['LICENSE', 'README.md', ...named]) assert.ok(files.includes(path), path);
      });

      it('contains no TypeScript to run, no tests and no development settings', () => {
        const wrong = files.filter((path) =>
          /(?<!\.d)\.ts$|(^|\/)tests?\/|\.test\.|tsconfig|package-lock|(^|\/)\.env/.test(path),
        );
        assert.deepEqual(
          wrong.filter((path) => !/^(?:src|console)\//.test(path) || /(?<!\.d)\.ts$|\.test\./.test(path)),
          [],
        );
      });

      it('imports only its own files and dependencies', () => {
        const known = { ...manifest.dependencies, ...manifest.optionalDependencies };
        const lost: string[] = [];
        for (const path of files.filter((file) => file.endsWith('.js') && !file.startsWith('console/'))) {
          const text = readFileSync(join(stage, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
          for (const [, target = ''] of text.matchAll(imports)) {
            const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
            const isThere = target.startsWith('.')
              ? existsSync(join(stage, dirname(path), target))
              : isBuiltin(target) || name in known || name === manifest.name;
            if (!isThere) lost.push(`${path}: ${target}`);
          }
        }
        assert.deepEqual(lost, []);
      });
    });
  }

  it('create-oja includes the files of a new folder', () => {
    const creator = packages.find(({ manifest }) => manifest.name === 'create-oja');
    assert.ok(creator);
    const files = published(creator);
    for (const path of templateFiles) assert.ok(files.includes(`template/${path}`), path);
  });

  it('the gateway includes the console, the migrations, the demo and the command', () => {
    const gateway = packages.find(({ folder }) => folder === '.');
    assert.ok(gateway);
    for (const path of [
      'console/dist/index.html',
      'migrations/0001_schema.sql',
      'demo/main.js',
      'src/main.js',
    ]) {
      assert.ok(existsSync(join(gateway.stage, path)), path);
    }
    assert.ok(existsSync(join(gateway.stage, 'simulator', 'main.js')));
    assert.notEqual(statSync(join(gateway.stage, 'oja')).mode & 0o111, 0);
  });
});

describe('the Composer package', () => {
  const folder = join(root, 'sdk', 'php');

  it('has the layout of its own repository', () => {
    for (const name of ['composer.json', 'README.md', 'LICENSE', 'src'])
      assert.ok(existsSync(join(folder, name)), name);
    assert.equal(readFileSync(join(folder, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'));
  });

  it('is valid for Composer', (t) => {
    const { status, stdout, stderr, error } = spawnSync(
      'composer',
      ['validate', '--strict', '--no-interaction'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
      },
    );
    if (error !== undefined) return t.skip('Composer is not installed');
    assert.equal(status, 0, `${stdout}${stderr}`);
  });

  it('loads each class from the file that its name says', () => {
    const { autoload } = JSON.parse(readFileSync(join(folder, 'composer.json'), 'utf8')) as {
      autoload: { 'psr-4': Readonly<Record<string, string>> };
    };
    assert.deepEqual(autoload['psr-4'], { 'Oja\\': 'src/' });
    for (const path of globSync('src/**/*.php', { cwd: folder })) {
      const space = ['Oja', ...path.split('/').slice(1, -1)].join('\\');
      const text = readFileSync(join(folder, path), 'utf8');
      assert.ok(text.includes(`namespace ${space};`), path);
    }
  });
});
