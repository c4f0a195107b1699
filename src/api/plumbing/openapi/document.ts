/** The whole OpenAPI 3.1 document, made from the routes. Pure. */

import { isRecord } from '../../../core/json.ts';
import { storyFamilies, testStories } from '../../../core/products/test-stories.ts';
import { eventTypes } from '../../../notifications/events/event.ts';
import { eventSchema } from '../event-answer.ts';
import { headerComponents } from './describe-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { DocumentedRoute } from './documented-route.ts';
import { type Json, memberOf, plain, textsOf } from './json.ts';

const description =
  'Airtime, data, bills, gift cards and eSIMs over one API. Amounts are naira in strings.\n\n' +
  'A purchase is `success` (00), `failed` (01) or `pending` (02); a failed purchase is HTTP 200. After a 500 query ' +
  'the status of the purchase, do not send it again. After a 503 nothing was stored: send it again.\n\n' +
  'Requests are described in one canonical form. Other names of fields, named in their descriptions, and any letter ' +
  'words are accepted too. A member that is null, and an optional value that is empty, count as ' +
  'absent.\n\n' +
  'Every path can also answer 405 to another method, and before the path is known 408, 417 or 431; each has the ' +
  'body `Error`.';

const tags = [
  { name: 'Transactions', description: 'Purchases: create, look up, list; and who a bill is for.' },
  { name: 'Plans', description: 'What is on sale.' },
  { name: 'Gift cards', description: 'Digital gift cards: what is on sale, at what price, and orders.' },
  { name: 'eSIM', description: 'Travel eSIMs: what is on sale, at what price, and orders.' },
  { name: 'Wallet', description: 'What purchases are paid from.' },
  { name: 'Batches', description: 'Purchases in bulk, from one file. An extension of Oja.' },
  { name: 'Events', description: 'What has happened: a feed to ask, and endpoints that are called.' },
  {
    name: 'Test',
    description: `For test credentials: the clock of test purchases, and deposits.${stories()}`,
  },
  { name: 'Health', description: 'For load balancers.' },
];

/** The events that a merchant can cause, by the outcome of a purchase. */
function stories(): string {
  const lines = [
    ...testStories.map(({ id, text }) => `- \`${id}\`: ${text}`),
    ...storyFamilies.map(({ digit, text }) => `- \`${digit}nn\`: ${text}`),
  ];
  return (
    '\n\nThree digits decide the course of a test purchase: `08000000nnn`, `10000000nnn`, `TESTBETnnn`, and ' +
    `\`oja-nnn-\` at the beginning of the \`request_id\` of an order.\n\n${lines.join('\n')}`
  );
}

const securitySchemes = {
  merchantKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Merchant-Key',
    description: 'The key of a credential: oja_test_… or oja_live_….',
  },
  merchantSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Merchant-Secret',
    description: 'Its secret, shown once when it was issued.',
  },
};

/** `docsUrl` is the address of the guides, if they are published. */
export function makeDocument(
  routes: readonly DocumentedRoute[],
  version: string,
  docsUrl: string | undefined,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const { value, schemas } = nameSchemas({ paths, webhooks: describeWebhooks() });
  const named = nameResponses(memberOf(value, 'paths'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oja',
      version,
      summary: 'A prepaid vending gateway',
      description,
      contact: { name: 'Your account manager at the operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(docsUrl !== undefined && {
      externalDocs: { url: docsUrl, description: 'Guides: first purchase, going live, webhooks, errors' },
    }),
    servers: [{ url: '/', description: 'This gateway' }],
    // Both at once.
    security: [{ merchantKey: [], merchantSecret: [] }],
    tags,
    paths: named.paths,
    webhooks: value.webhooks,
    components: { schemas, responses: named.responses, headers: headerComponents, securitySchemes },
  };
}

/**
 * Returns `document` with a name for each titled schema. Throws an Error when two different schemas
 * have one title.
 */
function nameSchemas(document: Json): { readonly value: Json; readonly schemas: Json } {
  const named = new Map<string, Json>();
  const value = visit(document, named);
  return { value: isRecord(value) ? value : {}, schemas: Object.fromEntries(named) };
}

function visit(value: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, named));
  if (!isRecord(value)) return value;
  const visited = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isExample(key) ? item : visit(item, named)]),
  );
  return isTitled(visited) ? reference(visited, named) : visited;
}

function reference(schema: Json & { readonly title: string }, named: Map<string, Json>): Json {
  const known = named.get(schema.title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas are titled ${schema.title}`);
  }
  named.set(schema.title, schema);
  return { $ref: `#/components/schemas/${schema.title}` };
}

function isTitled(value: Json): value is Json & { readonly title: string } {
  const isNameable = value.type === 'object' || value.oneOf !== undefined || value.enum !== undefined;
  return isNameable && typeof value.title === 'string';
}

/** Examples are data: they contain no schemas, whatever they look like. */
function isExample(key: string): boolean {
  return key === 'example' || key === 'examples';
}

const statusNames: Readonly<Record<string, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'ServiceUnavailable',
};

/** Returns, for each status, the answer that most operations have. */
function nameResponses(paths: Json): { readonly paths: Json; readonly responses: Json } {
  const common = commonest(paths);
  const responses: Record<string, unknown> = {};
  const shorten = (operation: Json): Json => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(memberOf(operation, 'responses')).map(([status, response]) => {
        const name = statusNames[status];
        if (name === undefined || JSON.stringify(response) !== common.get(status)) return [status, response];
        responses[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    ),
  });
  const shortened = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(isRecord(item) ? item : {}).map(([method, operation]) => [
        method,
        isRecord(operation) ? shorten(operation) : operation,
      ]),
    ),
  ]);
  return { paths: Object.fromEntries(shortened), responses };
}

function commonest(paths: Json): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const item of Object.values(paths).filter(isRecord)) {
    for (const operation of Object.values(item)) {
      for (const [status, response] of Object.entries(memberOf(operation, 'responses'))) {
        const text = JSON.stringify(response);
        const ofStatus = counts.get(status) ?? new Map<string, number>();
        counts.set(status, ofStatus.set(text, (ofStatus.get(text) ?? 0) + 1));
      }
    }
  }
  return new Map(
    [...counts].map(([status, ofStatus]) => {
      const [most] = [...ofStatus].toSorted(([, one], [, other]) => other - one);
      return [status, most?.[0] ?? ''];
    }),
  );
}

function describeWebhooks(): Json {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: describeWebhook(type) }]));
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

function describeWebhook(type: string): Json {
  return {
    operationId: `on${type.split(/[._]/).map(capitalised).join('')}`,
    summary: `${type} happened`,
    description: 'Sent to the endpoints that subscribe to it, and retried until one answers with 2xx.',
    tags: ['Events'],
    security: [],
    parameters: [
      header('webhook-id', 'the id of the event, the same in all attempts'),
      header('webhook-timestamp', 'when it was sent, in seconds since 1970'),
      header('webhook-signature', 'v1 signatures of Standard Webhooks, with spaces between'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(type) } } },
    responses: { '2XX': { description: 'Any answer of success ends the tries.' } },
  };
}

/** The kind of event with this type. */
function schemaOf(type: string): Json {
  const { anyOf } = plain(eventSchema);
  const kinds = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  const typesOf = (kind: Json) => textsOf(memberOf(memberOf(kind, 'properties'), 'type').enum);
  return kinds.find((kind) => typesOf(kind).includes(type)) ?? {};
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
