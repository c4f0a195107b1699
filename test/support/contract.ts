/**
 * Compares a gateway's answers with its OpenAPI document: an answer with an undocumented status,
 * header, field or type fails the test that got it. Requests are not compared: the document has one
 * canonical form of each, and the gateway accepts more.
 */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readDocument } from './api-document.ts';

type Json = Readonly<Record<string, unknown>>;

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Json;
};

type Header = { readonly required?: boolean; readonly schema: Json };
type Response = {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
};

type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, Json>>;
};

export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
};

/** A request and its answer, as they were sent. */
export type Exchange = {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** Text, or the text that JSON was parsed from; undefined if there was no body, or no JSON. */
  readonly sent: unknown;
  /** The text fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
};

export type Contract = {
  check(exchange: Exchange): void;
  /** Fails unless `value` matches the schema of the document, with no other fields. */
  assertValid(schema: Json, value: unknown, what: string): void;
};

let ofThisRun: Contract | undefined;

/** Fails if the answer of an API route differs from the document. */
export async function assertAsDocumented(exchange: Exchange): Promise<void> {
  if (!exchange.url.startsWith('/v1/')) return;
  ofThisRun ??= createContract(await readDocument(), { requests: false });
  ofThisRun.check(exchange);
}

const ofNoOperation: ReadonlySet<number> = new Set([405, 408, 417, 431]);

/** They are declared where they can occur; the server or the connection decides about the rest. */
const declaredHeaders = [
  'x-request-id',
  'cache-control',
  'retry-after',
  'allow',
  'content-disposition',
  'etag',
];

/**
 * For documents that describe less than that of the merchants' API: only `headers` are checked, and
 * without `requests` accepted requests are not.
 */
export function createContract(
  document: ApiDocument,
  {
    headers: headersChecked = declaredHeaders,
    requests: checksRequests = true,
  }: { readonly headers?: readonly string[]; readonly requests?: boolean } = {},
): Contract {
  // By the document, clients may receive unknown fields. Here they may not.
  const ofClosed = createValidators(closed(document) as ApiDocument);
  const validateAnswer = remember((schema: Json) => ofClosed(closed(schema) as Json));
  const templateOf = createTemplates(document);
  const requests = createValidators(document);
  const texts = createValidators({ paths: {}, components: {} }, { coerceTypes: true });
  const resolve = <Part>(part: Json): Part => {
    const { $ref } = part;
    if (typeof $ref !== 'string') return part as Part;
    const [kind = '', name = ''] = $ref.split('/').slice(2);
    return document.components[kind]?.[name] as Part;
  };

  function checkAnswer(
    what: string,
    operation: Operation,
    { method, status, headers, text }: Exchange,
  ): void {
    const declared = operation.responses[status];
    if (declared === undefined) assert.fail(`${what}: ${status} is not in the document: ${text}`);
    const response = resolve<Response>(declared);
    for (const name of headersChecked) {
      const entry = Object.entries(response.headers ?? {}).find(
        ([known]) => known.toLowerCase() === name,
      )?.[1];
      const value = headers[name];
      if (entry === undefined) assert.equal(value, undefined, `${what}: ${name} is not in the document`);
      else checkHeader(`${what}: ${name}`, resolve<Header>(entry), value);
    }
    if (method === 'HEAD' || text === '') return;
    const type = String(headers['content-type']).split(';', 1)[0] ?? '';
    const media = response.content?.[type];
    assert.ok(media, `${what}: ${type} is not in the document`);
    // Compressed answers are checked in their uncompressed form elsewhere.
    if (type !== 'application/json' || headers['content-encoding'] !== undefined) return;
    assertValid(validateAnswer(media.schema), JSON.parse(text), what);
  }

  function checkHeader(what: string, { required, schema }: Header, value: unknown): void {
    if (value === undefined) assert.notEqual(required, true, `${what} is missing`);
    else assertValid(texts(schema), { value: String(value) }, what);
  }

  function checkRequest(what: string, operation: Operation, template: string, exchange: Exchange): void {
    const { url, sent, form } = exchange;
    const [path = '', search = ''] = url.split('?');
    const query = new URLSearchParams(search);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'header') continue;
      const values =
        parameter.in === 'path'
          ? [segmentOf(template, path, parameter.name)]
          : query.getAll(parameter.name).filter((value) => value !== '');
      for (const value of values)
        assertValid(texts(parameter.schema), { value }, `${what}: ${parameter.name}`);
    }
    const bodies = operation.requestBody?.content;
    if (form !== undefined) {
      const media = bodies?.['multipart/form-data'];
      assert.ok(media, `${what}: no form is in the document`);
      assertValid(requests(media.schema), form, `${what}: accepted`);
    }
    const media = bodies?.['application/json'];
    if (media !== undefined && sent !== undefined) {
      const body =
        typeof sent === 'string' ? JSON.parse(sent.replace(/^\ufeff/, '')) : JSON.parse(JSON.stringify(sent));
      assertValid(requests(media.schema), body, `${what}: accepted`);
    }
  }

  return {
    assertValid: (schema, value, what) => assertValid(validateAnswer(schema), value, what),
    check(exchange) {
      const path = exchange.url.split('?', 1)[0] ?? '';
      const template = templateOf(path);
      if (template === undefined) {
        assert.ok(exchange.status >= 400, `${path} is not in the document, and was served`);
        return;
      }
      const item = document.paths[template] ?? {};
      const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
      const operation = item[method];
      // CORS preflights go to every path, with the method OPTIONS.
      if (operation === undefined && exchange.status === 204) return;
      const what = `${exchange.method} ${template} ${exchange.status}`;
      assert.ok(
        operation !== undefined || exchange.status >= 400,
        `${what}: the method is not in the document`,
      );
      // No operation returns these: they are sent for another method, or before the route is known.
      if (
        operation === undefined ||
        (ofNoOperation.has(exchange.status) && !(exchange.status in operation.responses))
      ) {
        assert.ok(
          exchange.status !== 405 || exchange.headers.allow !== undefined,
          `${what}: allow is missing`,
        );
        return;
      }
      checkAnswer(what, operation, exchange);
      if (checksRequests && exchange.status < 300) checkRequest(what, operation, template, exchange);
    },
  };
}

function assertValid(validate: ValidateFunction, value: unknown, what: string): void {
  if (validate(value)) return;
  const errors = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  assert.fail(`${what} is not as the document says: ${errors?.join('; ')} in ${JSON.stringify(value)}`);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * One validator per schema, compiled when it is first needed. With `coerceTypes`, it accepts texts.
 */
function createValidators(
  { paths: _paths, ...root }: ApiDocument,
  { coerceTypes = false }: { readonly coerceTypes?: boolean } = {},
): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    // Whether they are valid schemas is checked where the document is linted.
    validateSchema: false,
    allErrors: true,
    coerceTypes,
    formats: { uuid, binary: true, date: true },
  });
  const compiled = new Map<string, ValidateFunction>();
  return remember((schema: Json) => {
    const key = JSON.stringify(schema);
    const validate =
      compiled.get(key) ??
      // References name the components beside them.
      ajv.compile(coerceTypes ? { properties: { value: schema } } : { ...schema, ...root });
    compiled.set(key, validate);
    return validate;
  });
}

/** Keeps a derived value as long as its source lives. */
function remember<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/**
 * Returns `value` with every object schema closed to undeclared fields. The parts of `allOf` each
 * declare some fields, and are unchanged.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'allOf' ? item : closed(item)]),
  );
  const isOpenObject =
    copy.type === 'object' && copy.properties !== undefined && !('additionalProperties' in copy);
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}

/**
 * Finds the template of a path, the most literal one that fits: `/v1/plans/bills/{product}` before
 * `/v1/plans/{network}/{x}`.
 */
function createTemplates({ paths }: ApiDocument): (path: string) => string | undefined {
  const literal = new Map<string, string>();
  const ofLength = new Map<number, { readonly template: string; readonly wanted: readonly string[] }[]>();
  for (const template of Object.keys(paths).toSorted((one, other) => countOf(one) - countOf(other))) {
    const wanted = partsOf(template);
    if (countOf(template) === 0) literal.set(wanted.join('/'), template);
    else ofLength.set(wanted.length, [...(ofLength.get(wanted.length) ?? []), { template, wanted }]);
  }
  return (path) => {
    const parts = partsOf(path);
    const known = literal.get(parts.join('/'));
    if (known !== undefined) return known;
    return ofLength
      .get(parts.length)
      ?.find(({ wanted }) => wanted.every((part, index) => part.startsWith('{') || part === parts[index]))
      ?.template;
  };
}

/** For its parameters. */
function countOf(template: string): number {
  return template.split('{').length - 1;
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

function segmentOf(template: string, path: string, name: string): string {
  const index = partsOf(template).indexOf(`{${name}}`);
  return decodeURIComponent(partsOf(path)[index] ?? '');
}
