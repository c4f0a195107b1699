/**
 * Bundles the modules of the gateway for tests. The tests start some 500 gateways, and loading
 * 1,700 files one by one is a third of the work of a start.
 *
 * The bundle behaves like the separate files: each module of Oja keeps its path, by which it finds
 * the migrations or a worker. Some tests start the files themselves, as a user does.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');

/** Packages that read their own files. */
const withFiles = /^(?:@oja\/embedded-postgres|@fastify\/static|@fastify\/swagger-ui|pino)(?:\/|$)/;

export type GatewayBundle = AsyncDisposable & {
  /** The program, in a temporary folder that is removed at the end. */
  readonly path: string;
};

export async function bundleGateway(): Promise<GatewayBundle> {
  // Other packages are found only from within this tree.
  const folder = await mkdtemp(join(root, 'node_modules', '.oja-gateway-'));
  await using bundle = await rolldown({
    input: { main: join(root, 'src', 'main.ts') },
    platform: 'node',
    external: withFiles,
    // Neither this option nor `minify` may remove a call that only throws.
    treeshake: false,
    plugins: [{ name: 'keep-places', transform: { filter: { id: /\.ts$/ }, handler: keepPlace } }],
    // For packages, which are not bundled.
    logLevel: 'silent',
  });
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    minify: false,
  });
  return {
    path: join(folder, 'main.mjs'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function keepPlace(code: string, path: string): string {
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}
