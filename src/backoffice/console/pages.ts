/**
 * Serves the built application: one page for every path, and files under `/assets/` whose names
 * change with their content. Nothing outside of its folder is served.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { pagePolicy } from './protect.ts';

const compress = promisify(gzip);

/** The placeholder of the nonce in the page. */
const NONCE = '__OJA_NONCE__';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const plainName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,150}$/;

type File = { readonly bytes: Buffer; readonly zipped: Buffer | undefined; readonly type: string };

const notBuilt = `<!doctype html><html lang="en"><title>Oja</title>
<p>The application is not built. Run <code>npm ci</code> in the folder of Oja, or
<code>npm run build --workspace console</code> if everything is installed, and reload this page.</p>
</html>`;

export function servePages(app: FastifyInstance, { built, face }: ConsoleDependencies): void {
  const assets = new Map<string, File>();
  app.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const file = assets.get(name) ?? (await read(join(built, 'assets'), name));
    if (file === undefined) return reply.code(404).send(errorBody('no_such_path', 'There is no such file'));
    assets.set(name, file);
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return send(request, reply, file);
  });
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const path = request.url.split('?', 1)[0] ?? '';
    // Files such as the icon. Every other path is a page of the application.
    const file = extname(path) === '' ? undefined : await read(built, path.slice(1));
    if (file !== undefined && file.type !== types['.html']) return send(request, reply, file);
    const html = await readFile(join(built, 'index.html'), 'utf8').catch(() => undefined);
    reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy(request.nonce));
    if (html === undefined) return reply.code(503).send(notBuilt);
    return reply.send(html.replaceAll(NONCE, request.nonce).replaceAll('__OJA_AUDIENCE__', face));
  };
  app.get('/*', page);
}

async function read(folder: string, name: string): Promise<File | undefined> {
  const type = types[extname(name)];
  if (type === undefined || !plainName.test(name)) return undefined;
  const bytes = await readFile(join(folder, name)).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const isText = /^(?:text|application|image\/svg)/.test(type);
  return { bytes, type, zipped: isText ? await compress(bytes, { level: 9 }) : undefined };
}

function send(request: FastifyRequest, reply: FastifyReply, { bytes, zipped, type }: File): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding');
  const takesZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return zipped !== undefined && takesZipped
    ? reply.header('content-encoding', 'gzip').send(zipped)
    : reply.send(bytes);
}
