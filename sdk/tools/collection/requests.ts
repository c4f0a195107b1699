/**
 * The requests of the collections for Postman and Bruno, by folder: every operation of the OpenAPI
 * document with its examples, and the stories and customers of the sandbox.
 *
 * Own code, because converters such as openapi-to-postmanv2 bring seventeen packages for this, draw
 * new identifiers at each run, know no sandbox, and write no Bruno.
 */
import {
  isOpen,
  listRoutes,
  type OpenApi,
  type Operation,
  type Route,
} from '../../../site/generate/document.ts';
import { requestOf } from '../../../site/generate/samples.ts';
import { productRecords } from '../../../src/core/products/registry.ts';
import { mobileTestNumbers } from '../../../src/core/products/test-rules.ts';
import {
  deliveryStories,
  findStory,
  storyFamilies,
  type TestStory,
  testStories,
} from '../../../src/core/products/test-stories.ts';

export type Query = {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  /** Otherwise it is listed, and not sent. */
  readonly enabled: boolean;
};

export type CollectionRequest = {
  readonly name: string;
  readonly operationId: string;
  /** In lower case. */
  readonly method: string;
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly Query[];
  readonly body: unknown;
  readonly description: string;
  /** It needs no credentials. */
  readonly isOpen: boolean;
  /** The status of the answer. */
  readonly status: number;
  /** Variables that take a value of the answer, with its place such as `data.id`. */
  readonly keeps: Readonly<Record<string, string>>;
};

export type Folder = {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectionRequest[];
};

/** The variables of an environment. The rest are set by answers. */
export const environments = {
  test: { base_url: 'http://127.0.0.1:8080', merchant: 'DEMO' },
  live: { base_url: 'https://oja.example', merchant: 'DEMO' },
} as const;

/** What a variable is before an answer sets it. */
export const variables = {
  request_ref: '',
  card_request_id: '',
  esim_request_id: '',
  endpoint_id: '',
  batch_id: '',
  delivery_id: '',
  voucher_code: '',
} as const;

export const introduction = `Every request of the API of an Oja gateway, and the stories of its sandbox.

Choose the environment Oja test or Oja live, and set base_url, merchant, key and secret in it. With
live credentials, purchases cost money. Each purchase has a new reference. Later requests use the
references and ids that answers brought.`;

const purchase = { request_ref: 'data.request_id' };
const card = { card_request_id: 'data.request_id' };
const esim = { esim_request_id: 'data.request_id' };

const keeps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  airtimeSync: purchase,
  airtimeAsync: purchase,
  dataSync: purchase,
  dataAsync: purchase,
  createTransaction: purchase,
  createGiftCardOrder: card,
  createEsimOrder: esim,
  createBatch: { batch_id: 'data.id' },
  createEndpoint: { endpoint_id: 'data.id' },
  listWebhookDeliveries: { delivery_id: 'data.0.id' },
};

/** A reference that no request had before; both programs draw it at each sending. */
const newReference = '{{$guid}}';
const fromVariables: Readonly<Record<string, string>> = {
  merchant: '{{merchant}}',
  request_ref: newReference,
  request_id: newReference,
  code: '{{voucher_code}}',
};

export function collectionFolders(document: OpenApi): readonly Folder[] {
  const routes = listRoutes(document);
  const byId = new Map(routes.map((route) => [route.operation.operationId, route]));
  const operation = (id: string): CollectionRequest => {
    const [found] = requestsOf(byId.get(id) ?? fail(id));
    return found ?? fail(id);
  };
  const folders = document.tags.map(({ name, description }) => {
    const own = routes.filter((route) => route.operation.tags[0] === name);
    const [last, others] = [own.filter(isLast), own.filter((route) => !isLast(route))];
    return { name, description, requests: [...others, ...last].flatMap(requestsOf) };
  });
  return [...folders, ...sandbox(operation, document)];
}

/** It needs the results of others in its folder, or ends objects that they use. */
function isLast({ method, operation }: Route): boolean {
  return method === 'delete' || operation.operationId === 'getFundingAccount';
}

/** One for each example of its body. A batch is only started: it may end before it is paused. */
function requestsOf(route: Route): readonly CollectionRequest[] {
  const { operation } = route;
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const first = requestFor(route, operation.summary, examples[0]?.value);
  const others = operation.operationId === 'changeBatch' ? [] : examples.slice(1);
  const [topic] = operation.summary.split(':');
  return [first, ...others.map(({ summary, value }) => requestFor(route, `${topic}: ${summary}`, value))];
}

function requestFor(route: Route, name: string, body: unknown): CollectionRequest {
  const { method, path, operation } = route;
  const { path: values, query } = requestOf(route);
  return {
    name,
    operationId: operation.operationId,
    method,
    path,
    pathValues: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, pathVariable(path, key) ?? String(value)]),
    ),
    query: queryOf(operation, query),
    body: withVariables(body),
    description: operation.description,
    isOpen: isOpen(operation),
    status: 200,
    keeps: keeps[operation.operationId] ?? {},
  };
}

function pathVariable(path: string, name: string): string | undefined {
  if (name === 'request_id') return path.includes('/esim/') ? '{{esim_request_id}}' : '{{card_request_id}}';
  if (name !== 'id') return undefined;
  if (path.includes('/batches/')) return '{{batch_id}}';
  return path.includes('/deliveries/') ? '{{delivery_id}}' : '{{endpoint_id}}';
}

function queryOf({ parameters = [] }: Operation, given: Readonly<Record<string, unknown>>): readonly Query[] {
  const known: Readonly<Record<string, string>> = {
    request_ref: '{{request_ref}}',
    endpoint: '{{endpoint_id}}',
  };
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example, description = '' }) => ({
      name,
      value: known[name] ?? String(given[name] ?? example ?? ''),
      description,
      enabled: name in given,
    }));
}

function withVariables(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fromVariables[name] ?? value]),
  );
}

type Find = (operationId: string) => CollectionRequest;

function sandbox(operation: Find, document: OpenApi): readonly Folder[] {
  const airtime = (name: string, msisdn: string): CollectionRequest =>
    changed(operation('airtimeAsync'), name, { msisdn });
  const example = (product: string): CollectionRequest => {
    const route = listRoutes(document).find((one) => one.operation.operationId === 'createTransaction');
    const found = requestsOf(route ?? fail('createTransaction')).find(
      ({ body }) => (body as { product?: string }).product === product,
    );
    return found ?? fail(product);
  };
  const story = (id: string, product: string, name: string): CollectionRequest => {
    if (product === 'airtime') return airtime(name, `08000000${id}`);
    const request_id = `oja-${id}-{{$timestamp}}`;
    if (product === 'GIFTCARD') return changed(operation('createGiftCardOrder'), name, { request_id });
    if (product === 'ESIM') return changed(operation('createEsimOrder'), name, { request_id });
    return changed(example(product), name, { msisdn: `${recipients[product] ?? fail(product)}${id}` });
  };
  const row = (one: TestStory): CollectionRequest => {
    const product = answeredAtOnce.find((name) => one.products.includes(name)) ?? one.products[0] ?? '';
    const status = one.end.kind === 'refused' ? one.end.status : 200;
    return { ...story(one.id, product, `${one.id}: ${one.text}`), status };
  };
  const families = storyFamilies.map((family) => {
    const id = `${family.digit}02`;
    return airtime(`${id}: ${family.text.replace('`nn`', '2')}`, `08000000${id}`);
  });
  return [
    {
      name: 'Sandbox: stories',
      description: `Purchases with test credentials whose last three digits decide what happens. The clock at
the end brings each to its outcome.`,
      requests: [
        ...testStories.map(row),
        ...families,
        ...mobileTestNumbers.map(({ number, story: id }) =>
          airtime(`${number}: ${findStory(id, 'airtime')?.text ?? fail(id)}`, number),
        ),
        ...Object.keys(recipients).map((product) => story('101', product, `101 for ${product}`)),
        story('101', 'ESIM', '101 for ESIM'),
        operation('advanceTestClock'),
        operation('listTransactions'),
      ],
    },
    {
      name: 'Sandbox: customers',
      description: 'Test customers of bills, and what a purchase for them brings.',
      requests: productRecords.flatMap((record) =>
        record.kind === 'bill'
          ? record.testCustomers
              .filter(({ network }) => network !== 'WAEC')
              .map(({ id, brings, meterKind }) =>
                changed(example(record.name), `${record.name} for ${id}: ${brings}`, {
                  msisdn: id,
                  ...(meterKind === 'postpaid' && { plan_code: '2002' }),
                }),
              )
          : [],
      ),
    },
    {
      name: 'Sandbox: cards that are sent',
      description: 'Gift cards whose sending goes wrong. Their orders succeed.',
      requests: deliveryStories.map(({ id, text }) =>
        changed(operation('createGiftCardOrder'), `${id}: ${text}`, {
          send_via: 'email',
          destination: `oja-${id}@example.com`,
        }),
      ),
    },
  ];
}

/** A purchase of these is answered before its story ends. */
const answeredAtOnce = ['airtime', 'ESIM', 'GIFTCARD'] as const;

/** The digits before the number of a story, by product. */
const recipients: Readonly<Record<string, string>> = {
  data: '08000000',
  ELECTRICITY: '10000000',
  CABLE: '10000000',
  BETTING: 'TESTBET',
  EDUCATION: '1000000',
};

function changed(
  request: CollectionRequest,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): CollectionRequest {
  return { ...request, name, body: { ...(request.body as object), ...fields } };
}

function fail(what: string): never {
  throw new Error(`the document has no ${what}`);
}
