/**
 * Requests to a target: valid, with one error, or completely invalid. The same seed gives the same
 * requests.
 */
import fc from 'fast-check';
import type { Edge, Target } from './targets.ts';
import {
  createValues,
  type Pools,
  prototypeNames,
  type RawJson,
  toJsonText,
  wildJson,
  wildText,
} from './values.ts';

/** Stands for the merchant code of the caller. */
export const own = 'OWN-MERCHANT';

export type FuzzRequest = {
  readonly edge: Edge;
  /** The target, for the report. */
  readonly what: string;
  readonly method: string;
  /** Each character is a byte, as in all of it but the body. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  /** The name of a principal of the edge. */
  readonly by: string;
};

export type Senders = {
  /** A caller that is listed more often sends more often. */
  readonly names: readonly string[];
  readonly pools: Pools;
};

const fresh = new Set(['request_ref', 'request_id', 'client_request_id', 'key', 'reference']);
const freshText = fc.nat().map((number) => `f-${number}`);

/** The text that a broken client puts between two slashes. */
const rawSegments = [
  '%',
  '%ff',
  '%00',
  '%F0%9F',
  '%2e%2e',
  '..',
  '.',
  'a%2Fb',
  ';a=b',
  '\xff\xfe',
  '*',
  '%E2%80%AE',
  'x'.repeat(600),
  'x'.repeat(9_000),
  ...prototypeNames,
];

const rawQueries = [
  '%',
  '%ff',
  '&&&',
  'a[]=1&a[b]=2',
  '__proto__=1&constructor=2&toString=3',
  'limit=1&limit=2',
  'page=1e9&limit=1e9',
  'page=999999999&limit=100',
  'cursor=%00',
  'cursor=AAAA',
  'cursor=999999999999999999',
  `q=${'x'.repeat(8_000)}`,
  Array.from({ length: 500 }, (_, index) => `a${index}=1`).join('&'),
  '=',
  '?',
  '%u0041',
  'a=\xff',
];

const contentTypes = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  ';;;',
  'application/json, application/json',
  '',
];

const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept-encoding', 'gzip, br;q=0'],
  ['accept-encoding', '*;q=nonsense'],
  ['accept', 'text/html'],
  ['accept', 'application/json, text/event-stream'],
  ['if-none-match', '*'],
  ['if-none-match', '"x", W/"y"'],
  ['x-request-id', 'own-1'],
  ['x-request-id', 'x'.repeat(500)],
  ['idempotency-key', 'key-1'],
  ['idempotency-key', 'k\xe9y \x01'.replace('\x01', ' ')],
  ['expect', '100-continue'],
  ['expect', 'a-miracle'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['host', 'evil.example'],
  ['range', 'bytes=0-1'],
  ['content-encoding', 'gzip'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade'],
  ['cookie', `__Host-oja_console=${'A'.repeat(43)}`],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', 'nonsense, 1.2.3.4'],
  ['x-forwarded-host', 'evil.example'],
  ['mcp-protocol-version', '1999-01-01'],
  ['mcp-protocol-version', '2025-06-18'],
  ['authorization', 'Basic b2phOm9qYQ=='],
  ['x-a', 'x'.repeat(4_000)],
];

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** In the form of a URL; malformed Unicode becomes the replacement character. */
function escapeText(value: unknown): string {
  return encodeURIComponent((typeof value === 'string' ? value : toJsonText(value)).toWellFormed());
}

export function requestsTo(targets: readonly Target[], senders: Senders): fc.Arbitrary<FuzzRequest> {
  const known = new Map<unknown, ReturnType<typeof createValues>>();
  return fc.oneof(
    ...targets.map((target) => {
      const values = known.get(target.root) ?? createValues(target.root, senders.pools);
      known.set(target.root, values);
      return requestTo(target, values, senders);
    }),
  );
}

function requestTo(
  target: Target,
  values: ReturnType<typeof createValues>,
  { names: senders, pools }: Senders,
): fc.Arbitrary<FuzzRequest> {
  const { edge, method, path, parameters } = target;
  const named = (name: string, schema: Target['parameters'][number]['schema']): fc.Arbitrary<unknown> =>
    fresh.has(name)
      ? fc.oneof(freshText, fc.constantFrom(...(pools[name] ?? ['none'])))
      : values.valueOf(schema, name);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const segments = names.map((name) => {
    const schema = parameters.find((one) => one.name === name && one.in === 'path')?.schema ?? {};
    return fc.oneof(
      { weight: 8, arbitrary: named(name, schema).map(escapeText) },
      { weight: 1, arbitrary: wildText.map(escapeText) },
      { weight: 1, arbitrary: fc.constantFrom(...rawSegments) },
    );
  });
  const inQuery = parameters.filter((one) => one.in === 'query');
  const query = fc
    .tuple(
      ...inQuery.map(({ name, schema }) =>
        fc.oneof(
          { weight: 6, arbitrary: fc.constant('') },
          { weight: 6, arbitrary: named(name, schema).map((value) => `${name}=${escapeText(value)}`) },
          { weight: 1, arbitrary: wildText.map((text) => `${name}=${escapeText(text)}`) },
        ),
      ),
      fc.oneof(
        { weight: 12, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom(...rawQueries) },
      ),
    )
    .map((pairs) => pairs.filter((pair) => pair !== '').join('&'));
  return fc
    .record({
      segments: fc.tuple(...segments),
      query,
      body: bodyOf(target, named),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
      ),
      odd: fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(...oddHeaders), { minLength: 1, maxLength: 3 }) },
      ),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...methods) },
      ),
      isChunked: fc.oneof(
        { weight: 12, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      by: fc.constantFrom(...senders),
    })
    .map(({ segments: made, query: asked, body, type, odd, method: sent, isChunked, by }) => {
      let index = 0;
      const filled = path.replaceAll(/\{\w+\}/g, () => {
        index += 1;
        return made[index - 1] ?? '';
      });
      const takesBody = body !== undefined && !['GET', 'HEAD', 'TRACE'].includes(sent);
      return {
        edge,
        what: `${edge} ${method} ${path}`,
        method: sent,
        by,
        url: asked === '' ? filled : `${filled}?${asked}`,
        headers: [
          ...(takesBody ? [['content-type', type] as const] : []),
          ...(takesBody && isChunked ? [['transfer-encoding', 'chunked'] as const] : []),
          ...odd,
        ],
        body: takesBody ? body : undefined,
      };
    });
}

/** Valid bodies with one error, or without any sense. */
function bodyOf(
  { bodies }: Target,
  named: (name: string, schema: Target['parameters'][number]['schema']) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Buffer | undefined> {
  if (bodies.length === 0) {
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: wildJson.map(({ text }) => Buffer.from(text)) },
    );
  }
  const right = fc.oneof(
    ...bodies.flatMap(({ schema, examples }) => [
      { weight: 2, arbitrary: named('', schema) },
      ...(examples.length === 0
        ? []
        : [{ weight: 3, arbitrary: fc.tuple(fc.constantFrom(...examples), freshText).map(renew) }]),
    ]),
  );
  const fields = [...new Set(bodies.flatMap(({ schema }) => Object.keys(Object(schema.properties))))];
  const field = fc.constantFrom(
    ...(fields.length === 0 ? ['a'] : fields),
    ...prototypeNames.slice(0, 2),
    'a',
  );
  const change = fc.tuple(fc.constantFrom('set', 'set', 'set', 'drop', 'double', 'wrap'), field, wildJson);
  const broken = fc
    .tuple(right, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(spoil, toJsonText(value)));
  return fc.oneof(
    { weight: 5, arbitrary: right.map((value) => Buffer.from(toJsonText(value))) },
    { weight: 6, arbitrary: broken.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: wildJson.map(({ text }) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.tuple(right, fc.nat()).map(([value, at]) => cut(toJsonText(value), at)) },
    {
      weight: 1,
      arbitrary: fc.tuple(right, fc.nat(), fc.nat(255)).map(([value, at, byte]) => poke(value, at, byte)),
    },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
  );
}

/** An example under its own reference, from any caller. */
function renew([example, reference]: readonly [unknown, string]): unknown {
  if (typeof example !== 'object' || example === null) return example;
  const renewed: Record<string, unknown> = { ...example };
  for (const name of Object.keys(renewed)) {
    if (fresh.has(name)) renewed[name] = reference;
    if (name === 'merchant' || name === 'merchant_code') renewed[name] = own;
  }
  return renewed;
}

type Change = readonly [how: string, field: string, value: RawJson];

function spoil(text: string, [how, field, value]: Change): string {
  if (how === 'wrap') return `[${text}]`;
  if (!text.startsWith('{')) return value.text;
  const inner = text.slice(1, -1).trim();
  const pair = `${JSON.stringify(field)}:${value.text}`;
  if (how === 'double') return inner === '' ? `{${pair}}` : `{${pair},${inner}}`;
  if (how === 'set') return replaceField(text, field, value) ?? `{${inner === '' ? '' : `${inner},`}${pair}}`;
  return replaceField(text, field, undefined) ?? text;
}

/** Undefined if it is no longer JSON. */
function replaceField(text: string, field: string, value: RawJson | undefined): string | undefined {
  try {
    const { [field]: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return toJsonText(value === undefined ? rest : { ...rest, [field]: value });
  } catch {
    return undefined;
  }
}

function cut(text: string, at: number): Buffer {
  return Buffer.from(text.slice(0, at % (text.length + 1)));
}

/** Usually no longer valid UTF-8. */
function poke(value: unknown, at: number, byte: number): Buffer {
  const bytes = Buffer.from(toJsonText(value));
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}

/** As it is sent: each character outside the body is a byte. */
export type WholeRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: FuzzRequest['headers'];
  readonly body: Buffer | undefined;
  readonly isChunked: boolean;
};

/** With the headers of the caller. */
export function complete(
  request: FuzzRequest,
  { code, headers: theirs }: { readonly code: string; readonly headers: FuzzRequest['headers'] },
  address: string,
): WholeRequest {
  const { method, url, headers, edge } = request;
  const body = withOwn(request.body, code);
  const names = new Set(headers.map(([name]) => name));
  const isChunked = names.has('transfer-encoding');
  const needsLength = !isChunked && (body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method));
  const isOfPage = (edge === 'console' || edge === 'portal') && !names.has('sec-fetch-site');
  const all = [
    ...(names.has('host') ? [] : [['host', '127.0.0.1'] as const]),
    ...theirs.filter(([name]) => !names.has(name)),
    ...(names.has('x-forwarded-for') ? [] : [['x-forwarded-for', address] as const]),
    ...(isOfPage ? [['sec-fetch-site', 'same-origin'] as const] : []),
    ...headers,
    ...(needsLength ? [['content-length', String(body?.length ?? 0)] as const] : []),
  ];
  return { method, target: url.replaceAll(own, code), headers: all, body, isChunked };
}

export function toBytes({ method, target, headers, body, isChunked }: WholeRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  if (body === undefined && !isChunked) return head;
  const sent = body ?? Buffer.alloc(0);
  return Buffer.concat([head, isChunked ? chunksOf(sent) : sent]);
}

function withOwn(body: Buffer | undefined, code: string): Buffer | undefined {
  return body?.includes(own) === true
    ? Buffer.from(body.toString('latin1').replaceAll(own, code), 'latin1')
    : body;
}

function chunksOf(body: Buffer): Buffer {
  const half = body.length >> 1;
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
