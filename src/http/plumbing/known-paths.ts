/**
 * Which methods a path has: `Allow` names them to OPTIONS, and with 405 to any method that it has
 * not.
 */
import type { FastifyInstance } from 'fastify';

export type KnownPaths = {
  /** In alphabetical order; empty where there is no such path. */
  methodsOf(path: string): readonly string[];
};

/** To be called before the routes are registered. */
export function noteKnownPaths(app: FastifyInstance): KnownPaths {
  const known = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { path: patternOf(url), methods: new Set() };
    known.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return {
    methodsOf: (path) => {
      // The server as a whole, in `OPTIONS *`.
      if (path === '*') return ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'];
      const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
      const found = [...known.values()].filter((entry) => entry.path.test(plain));
      if (found.length === 0) return [];
      return [...new Set(['OPTIONS', ...found.flatMap(({ methods }) => [...methods])])].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
