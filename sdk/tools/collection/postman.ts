/** Writes the collection and its environments in Postman's format, version 2.1. */
import {
  type CollectionRequest,
  environments,
  type Folder,
  introduction,
  type Query,
  variables,
} from './requests.ts';

export type Environment = keyof typeof environments;

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanCollection(folders: readonly Folder[]): string {
  return json({
    info: { name: 'Oja', description: introduction, schema },
    item: folders.map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map(itemOf),
    })),
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  });
}

export function postmanEnvironment(name: Environment): string {
  const values = Object.entries(environments[name]).map(([key, value]) => ({ key, value, type: 'default' }));
  const secrets = ['key', 'secret'].map((key) => ({ key, value: '', type: 'secret' }));
  return json({
    name: `Oja ${name}`,
    values: [...values, ...secrets].map((value) => ({ ...value, enabled: true })),
    _postman_variable_scope: 'environment',
  });
}

function itemOf(request: CollectionRequest): object {
  const { name, method, description, body } = request;
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(request) } }],
    request: {
      method: method.toUpperCase(),
      header: headersOf(request).map(([key, value]) => ({ key, value })),
      ...(body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
      url: urlOf(request),
      description,
    },
    response: [],
  };
}

export function headersOf({ isOpen, body }: CollectionRequest): readonly (readonly [string, string])[] {
  const credentials = [
    ['X-Merchant-Key', '{{key}}'],
    ['X-Merchant-Secret', '{{secret}}'],
  ] as const;
  return [
    ...(isOpen ? [] : credentials),
    ...(body === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
  ];
}

/** The address with its parameters as `:name`, as both programs write them. */
export function addressOf({ path, query }: Pick<CollectionRequest, 'path' | 'query'>): string {
  const plain = `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const sent = query.filter(({ enabled }) => enabled).map(({ name, value }) => `${name}=${value}`);
  return sent.length === 0 ? plain : `${plain}?${sent.join('&')}`;
}

function urlOf(request: CollectionRequest): object {
  const { path, pathValues, query } = request;
  const parts = path.replaceAll(/\{(\w+)\}/g, ':$1').split('/');
  const values = Object.entries(pathValues).map(([key, value]) => ({ key, value }));
  return {
    raw: addressOf(request),
    host: ['{{base_url}}'],
    path: parts.slice(1),
    ...(query.length > 0 && { query: query.map(queryItem) }),
    ...(values.length > 0 && { variable: values }),
  };
}

function queryItem({ name, value, description, enabled }: Query): object {
  return { key: name, value, description, ...(!enabled && { disabled: true }) };
}

/** Checks the status, and stores the values for later requests. */
function scriptOf({ status, keeps }: CollectionRequest): readonly string[] {
  const kept = Object.entries(keeps);
  return [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    ...(kept.length > 0 && status === 200 ? ['const answer = pm.response.json();'] : []),
    ...(status === 200 ? kept : []).map(
      ([name, place]) => `pm.collectionVariables.set('${name}', answer${accessOf(place)});`,
    ),
  ];
}

/** `data.0.id` as it is read in JavaScript. */
export function accessOf(place: string): string {
  return place
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
