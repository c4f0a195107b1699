/**
 * The interface as a document: GET /openapi.json (OpenAPI 3.1), made from the schemas that
 * validate, and GET /docs to browse it. Everything the page loads comes from this server. Made
 * once, when first asked for.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { compressAnswer } from './compress-answer.ts';
import { nameSchemas } from './name-schemas.ts';
import { tagged } from './tag-answer.ts';

/** Must be registered before the routes it is to describe. */
export async function registerOpenapi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Oja',
        version,
        description:
          'Airtime, data and bills over one API. Amounts are naira in strings. A purchase is `success` (00), `failed` (01) or ' +
          '`pending` (02); a failed purchase is HTTP 200. After a 500 query the status, after a 503 send again.',
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Transactions', description: 'Purchases: create, look up, list; and who a bill is for.' },
        { name: 'Plans', description: 'What is on sale.' },
        {
          name: 'Gift cards',
          description: 'Digital gift cards: what is on sale, at what price, and orders.',
        },
        { name: 'eSIM', description: 'Travel eSIMs: what is on sale, at what price, and orders.' },
        { name: 'Wallet', description: 'What purchases are paid from.' },
        { name: 'Health', description: 'For load balancers.' },
      ],
      components: {
        securitySchemes: {
          merchantKey: { type: 'apiKey', in: 'header', name: 'X-Merchant-Key' },
          merchantSecret: { type: 'apiKey', in: 'header', name: 'X-Merchant-Secret' },
        },
      },
      // Both at once.
      security: [{ merchantKey: [], merchantSecret: [] }],
    },
    transformObject: (made) =>
      'openapiObject' in made ? nameSchemas(made.openapiObject) : made.swaggerObject,
    convertConstToEnum: false,
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
    // Without the bar on top, which is for opening other documents.
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
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
