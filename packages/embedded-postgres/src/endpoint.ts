/**
 * The server's address: a unix socket in a folder that only its user may enter. On Windows, where
 * Node.js does not support such sockets, it is the loopback address with a password.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { canEnter, type ServerUser } from './server-user.ts';

export type Endpoint = {
  readonly settings: Readonly<Record<string, string>>;
  /** Also read by psql: `postgresql:///shop?host=/folder&…`. */
  readonly connectionString: (databaseName: string) => string;
  /**
   * The file with the superuser's password. Absent if access to the socket's folder is the only
   * protection.
   */
  readonly passwordFile?: string;
  close(): Promise<void>;
};

/** The kernel's limit on a socket's path is 107 bytes on Linux, 103 on macOS. */
const socketPathMaxBytes = 103;
const socketName = '.s.PGSQL.5432';

/**
 * `workDir` identifies the cluster: the same folder always has the same socket, and different
 * folders have different ones.
 */
export async function prepareEndpoint(workDir: string, user: ServerUser | undefined): Promise<Endpoint> {
  return process.platform === 'win32' ? await tcpEndpoint(workDir) : await socketEndpoint(workDir, user);
}

async function socketEndpoint(workDir: string, user: ServerUser | undefined): Promise<Endpoint> {
  const short = `embedded-pg-${createHash('sha256').update(workDir).digest('hex').slice(0, 16)}`;
  const candidates = [join(workDir, 'socket'), join(tmpdir(), short), join('/tmp', short)];
  for (const folder of candidates) {
    if (Buffer.byteLength(join(folder, socketName)) > socketPathMaxBytes) {
      continue;
    }
    await claimFolder(folder, user);
    if (await canEnter(folder, user)) {
      return {
        settings: {
          listen_addresses: '',
          unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
          port: '5432',
        },
        connectionString: (databaseName) =>
          `postgresql:///${encodeURIComponent(databaseName)}?host=${encodeURIComponent(folder)}&user=postgres&port=5432&sslmode=disable`,
        async close(): Promise<void> {
          await rmdir(folder).catch(() => undefined);
        },
      };
    }
    await rmdir(folder).catch(() => undefined);
  }
  throw new EmbeddedPostgresError(
    'no_socket_folder',
    `no folder for the database socket: ${candidates.join(', ')} are too long or closed to the server`,
  );
}

/**
 * In a folder that is writable by all, another user may have created the socket's folder first, to
 * impersonate the server.
 */
async function claimFolder(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') {
      throw error;
    }
  });
  const found = await lstat(folder);
  const ownUid = process.getuid?.() ?? 0;
  if (!found.isDirectory() || (found.uid !== ownUid && found.uid !== user?.uid)) {
    throw new EmbeddedPostgresError(
      'no_socket_folder',
      `${folder} belongs to somebody else: remove it, or set TMPDIR to another folder`,
    );
  }
  await chmod(folder, 0o700);
  if (user) {
    await chown(folder, user.uid, user.gid);
  }
}

async function tcpEndpoint(workDir: string): Promise<Endpoint> {
  const passwordFile = join(workDir, 'password');
  const password = await readFile(passwordFile, 'utf8').catch(async () => {
    const made = randomBytes(24).toString('hex');
    await writeFile(passwordFile, made, { mode: 0o600 });
    return made;
  });
  const port = await freePort();
  return {
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    connectionString: (databaseName) =>
      `postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}?sslmode=disable`,
    passwordFile,
    async close(): Promise<void> {},
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') {
    throw new Error('the system gave no port');
  }
  return address.port;
}
