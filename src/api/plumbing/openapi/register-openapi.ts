/**
 * GET /openapi.json (OpenAPI 3.1), made from the schemas that validate, and GET /docs to browse it.
 * The page loads everything from this server. The document is made once, on the first request.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { ServerDependencies } from '../../dependencies.ts';
import { compressAnswer } from '../compress-answer.ts';
import { purchaseFieldNames } from '../field-names.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import { isTagged, tagged } from '../tag-answer.ts';
import { makeDocument } from './document.ts';
import { type DocumentedRoute, documentedMethods } from './documented-route.ts';
import { freshenReference, rememberTestSecrets } from './page-scripts.ts';

/** Register it before the routes that it describes. */
export async function registerOpenapi(
  app: FastifyInstance,
  { version, docsUrl }: Pick<ServerDependencies, 'version' | 'docsUrl'>,
): Promise<void> {
  const routes = collectRoutes(app);
  // The page gets the document from this plugin. The plugin's own document would lack aliases,
  // headers and refusals, so ours replaces it.
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Oja', version } },
    transform: ({ url }) => ({ schema: { hide: true }, url }),
    transformObject: () => makeDocument(routes, version, docsUrl),
  });
  await app.register((pages, _options, done) => {
    pages.addHook('onSend', compressAnswer);
    registerPages(pages);
    done();
  });
  let document: Buffer | undefined;
  app.get('/openapi.json', { schema: { hide: true }, ...tagged }, (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    reply.type('application/json; charset=utf-8').send(document);
  });
}

function registerPages(pages: FastifyInstance): void {
  pages.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Oja API' },
    // Hides the top bar, which opens other documents.
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      tryItOutEnabled: true,
      persistAuthorization: true,
      requestInterceptor: freshenReference,
      plugins: [rememberTestSecrets],
    },
    staticCSP: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      // Swagger UI sets styles on its elements.
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  });
}

function isDescribed(method: unknown): method is DocumentedRoute['method'] {
  return documentedMethods.some((one) => one === method);
}

/** The registered routes. */
function collectRoutes(app: FastifyInstance): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config, schemaErrorFormatter, onSend }) => {
    if (schema === undefined || schema.hide === true || !isDescribed(method)) return;
    routes.push({
      method,
      url,
      schema: schema as DocumentedRoute['schema'],
      fieldNames: config?.fieldNames ?? purchaseFieldNames,
      creates: config?.creates !== undefined,
      looksUp: method === 'GET' || config?.looksUp === true,
      isTagged: isTagged({ onSend }),
      refuseInvalid: (schemaErrorFormatter as typeof refuseInvalid | undefined) ?? refuseInvalid,
    });
  });
  return routes;
}
