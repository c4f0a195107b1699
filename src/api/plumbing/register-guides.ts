/**
 * GET /guides: the documentation site as it was built on this machine. It is public. If it was not
 * built, a page explains how to build it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

export const guidesPath = '/guides/';

const notBuilt = `<!doctype html><html lang="en"><title>Oja guides</title>
<p>The guides are the pages in the folder <code>docs/</code>. To read them here, run
<code>npm ci --prefix site &amp;&amp; npm run build --prefix site</code> in the folder of Oja, and
restart it.</p>
<p><a href="/docs">The API reference</a> is served without them.</p>
</html>`;

export function areGuidesBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

/** `folder` contains the built site. */
export async function registerGuides(app: FastifyInstance, folder: string): Promise<void> {
  if (!areGuidesBuilt(folder)) {
    app.get(guidesPath, { schema: { hide: true } }, (_request, reply) => {
      reply.type('text/html; charset=utf-8').send(notBuilt);
    });
    return;
  }
  const pages = new Set(readdirSync(folder, { recursive: true }).map(String));
  await app.register(files, { root: folder, serve: false, cacheControl: false });
  app.get(`${guidesPath}*`, { schema: { hide: true } }, (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    return sendPage(reply, path);
  });
  // The router ignores a trailing slash.
  app.get(guidesPath, { schema: { hide: true } }, (_request, reply) => sendPage(reply, ''));

  function sendPage(reply: FastifyReply, path: string): FastifyReply {
    const name = [path, join(path, 'index.html')].find((one) => pages.has(one) && extname(one) !== '');
    if (name === undefined || basename(name).startsWith('.')) {
      return reply.code(404).type('text/html; charset=utf-8').sendFile('404.html');
    }
    const isHashed = name.startsWith('_astro/');
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    // A page has its own policy for its scripts. This one applies as well.
    reply.header('content-security-policy', "frame-ancestors 'none'");
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    return reply.sendFile(name);
  }
}
