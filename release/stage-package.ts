/**
 * Makes an npm package as a registry takes it. Node.js strips no types from files within
 * `node_modules`, so a package holds JavaScript: the sources with blanks in place of the types. Each
 * line keeps its number. Modes, owners and times of files are fixed, so that the same sources give
 * the same archive.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { templateFiles } from '../packages/create-oja/src/template.js';
import { absoluteLinks } from './links.ts';
import { type Manifest, readManifest, repositoryPage } from './manifest.ts';
import { root, run } from './run.ts';

/** The package that gets copies of the files from which it makes a new folder. */
const templateOwner = 'packages/create-oja';

/** The output of `npm pack --json` about a package. */
export type Packed = {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

/**
 * Packs the package of `folder` into the folder `target`. `extra` are files that it gets besides its
 * own, by their paths. The package must be built.
 */
export function packPackage(
  folder: string,
  target: string,
  extra: ReadonlyMap<string, string> = new Map(),
): Packed {
  const stage = mkdtempSync(join(tmpdir(), 'oja-stage-'));
  try {
    stagePackage(folder, stage, extra);
    return pack(stage, ['--pack-destination', target]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Writes the files of the package into the empty folder `stage`. */
export function stagePackage(folder: string, stage: string, extra: ReadonlyMap<string, string>): void {
  const from = join(root, folder);
  const manifest = readManifest(folder);
  // The pages of the gateway's package are those of the whole project.
  const inPackage = folder === '.' ? '' : folder;
  for (const { path } of pack(from, ['--dry-run']).files) {
    const source = join(from, path);
    if (/(?<!\.d)\.ts$/.test(path)) write(stage, `${path.slice(0, -3)}.js`, toJavaScript(source));
    else if (path === 'oja') write(stage, path, renameSources(readFileSync(source, 'utf8')));
    else if (path.endsWith('.md'))
      write(stage, path, absoluteLinks(readFileSync(source, 'utf8'), inPackage, manifest.version));
    else copy(source, join(stage, path));
    if ((statSync(source).mode & 0o100) !== 0) chmodSync(join(stage, path), 0o755);
  }
  if (folder === templateOwner) {
    for (const path of templateFiles) copy(join(root, path), join(stage, 'template', path));
  }
  for (const [path, text] of extra) write(stage, path, text);
  if (manifest.exports === './src/index.ts') writeTypes(from, stage);
  if (!existsSync(join(stage, 'LICENSE'))) copy(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  write(stage, 'package.json', `${JSON.stringify(publishedManifest(folder, manifest), null, 2)}\n`);
}

function pack(folder: string, options: readonly string[]): Packed {
  const said = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', ...options], folder)) as unknown;
  // npm 12 answers with an object by name, earlier versions with a list.
  const [packed] = Object.values(said as Record<string, Packed>);
  if (packed === undefined) throw new Error(`npm packed nothing of ${folder}`);
  return packed;
}

/** Development is of no concern to those who install a package. */
function publishedManifest(folder: string, manifest: Manifest): Record<string, unknown> {
  const {
    private: _,
    scripts,
    devDependencies,
    workspaces,
    ...published
  } = manifest as Manifest & Readonly<Record<'devDependencies' | 'workspaces', unknown>>;
  const { repository } = readManifest('.');
  return {
    ...published,
    ...(published.exports !== undefined && { exports: publishedExports(published.exports) }),
    repository: { ...repository, ...(folder !== '.' && { directory: folder.replaceAll('\\', '/') }) },
    homepage: repositoryPage(),
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Exported sources become their built files; the condition for the project's tests is removed. */
function publishedExports(exports: unknown): unknown {
  if (typeof exports === 'string') {
    if (!exports.endsWith('.ts')) return exports;
    const base = exports.slice(0, -3);
    return { types: `${base}.d.ts`, default: `${base}.js` };
  }
  const entries = Object.entries(exports as Record<string, unknown>).filter(
    ([name]) => name !== 'oja-source',
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'types' ? value : publishedExports(value)]),
  );
}

function toJavaScript(source: string): string {
  return renameSources(stripTypeScriptTypes(readFileSync(source, 'utf8')));
}

/** Literals that name a source name its built file. */
function renameSources(text: string): string {
  return text.replaceAll(/\.ts(?=['"`])/g, '.js');
}

/** Writes the declarations of the sources beside their built files. */
function writeTypes(from: string, stage: string): void {
  const config = join(stage, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(from, 'src'),
    outDir: join(stage, 'src'),
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  const options = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [join(from, 'src')] };
  writeFileSync(config, JSON.stringify(options));
  run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config]);
  rmSync(config);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  chmodSync(to, 0o644);
}

function write(stage: string, path: string, text: string): void {
  const target = join(stage, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text, { mode: 0o644 });
}
