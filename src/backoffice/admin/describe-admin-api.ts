/** Builds the OpenAPI 3.1 document of the admin API from the registry. Pure. */
import type { TObject, TSchema } from 'typebox';
import { mayWait } from '../../core/operation.ts';
import { isPage } from '../../core/operation-fields.ts';
import { approvalOutput } from '../../oversight/approvals/approval-answer.ts';
import type { RegisteredOperation } from '../operations/run-operation.ts';

type Json = Readonly<Record<string, unknown>>;

const errorResponses: Readonly<Record<string, string>> = {
  400: 'The request is malformed: `errors` names each field and what it must be',
  401: 'The token is missing or invalid',
  403: 'The token does not have the required role',
  404: 'Not found',
  405: 'The path does not support this method: `Allow` lists the supported methods',
  408: 'The request did not arrive in time',
  409: 'The request conflicts with the current state',
  417: 'The only expectation supported is 100-continue',
  431: 'The request headers are too large',
  500: 'Internal error: check the state before you retry',
  503: 'The database is not responding: retry',
};

export function describeAdminApi(operations: readonly RegisteredOperation[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    paths[`/admin/v1${path}`] = {
      ...paths[`/admin/v1${path}`],
      [method.toLowerCase()]: describeOperation(operation),
    };
  }
  const groups = [...new Set(operations.map(groupOf))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oja admin API',
      version,
      summary: 'The API of operators of an Oja gateway',
      description:
        'Every operation of the gateway. Amounts are decimal strings, times are RFC 3339. A list returns `data` and a ' +
        '`cursor`, which is null at the end. Operations that move money accept `Idempotency-Key`: each key takes effect once.',
      contact: { name: 'The operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The admin listener of this gateway' }],
    security: [{ token: [] }],
    tags: groups.map((name) => ({ name, description: `Operations of ${name.replaceAll('_', ' ')}` })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token: oja_pat_…' },
      },
      schemas: { Refusal: refusalSchema },
      responses: Object.fromEntries(
        Object.entries(errorResponses).map(([status, description]) => [
          `Refusal${status}`,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        ]),
      ),
    },
  };
}

const refusalSchema: Json = {
  type: 'object',
  required: ['status', 'code', 'reason', 'message'],
  properties: {
    status: { const: 'error' },
    code: { type: 'integer', description: 'The HTTP status' },
    reason: { type: 'string', description: 'A stable error code, such as merchant_exists' },
    message: { type: 'string', description: 'A message for people. Its wording may change' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function groupOf({ name }: RegisteredOperation): string {
  return name.split('.')[0] ?? name;
}

function describeOperation(operation: RegisteredOperation): Json {
  const { name, summary, roles, route, input, output, kind, document } = operation;
  const isAsked = route.startsWith('GET ');
  const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, property = '']) => property);
  const rest = Object.keys(input.properties).filter((property) => !inPath.includes(property));
  return {
    operationId: name,
    tags: [groupOf(operation)],
    summary,
    description: `For ${roles.join(', ')}. A ${kind}. See docs/${document}.`,
    parameters: [
      ...inPath.map((property) => parameter(input, property, 'path')),
      ...(isAsked ? rest.map((property) => parameter(input, property, 'query')) : []),
      ...('key' in input.properties && !isAsked ? [keyHeader] : []),
    ],
    ...(isAsked || rest.length === 0 ? {} : { requestBody: bodyOf(input, rest) }),
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: answerSchema(output, 'key' in input.properties) } },
      },
      ...(mayWait(operation) && { 202: waiting }),
      ...Object.fromEntries(
        Object.keys(errorResponses).map((status) => [
          status,
          { $ref: `#/components/responses/Refusal${status}` },
        ]),
      ),
    },
  };
}

const waiting: Json = {
  description: 'Not done yet: a second person must approve the request',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['data'],
        properties: {
          data: {
            type: 'object',
            required: ['approval'],
            properties: { approval: plain(approvalOutput) },
          },
        },
      },
    },
  },
};

const keyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same as `key` in the body',
  schema: { type: 'string' },
};

function requiredOf({ properties, required }: TObject): readonly string[] {
  const names: readonly string[] = required ?? [];
  return names.filter((name) => Reflect.get(properties[name] ?? {}, 'default') === undefined);
}

function parameter(input: TObject, name: string, place: 'path' | 'query'): Json {
  const schema = input.properties[name] ?? {};
  return {
    name,
    in: place,
    required: place === 'path' || requiredOf(input).includes(name),
    description: Reflect.get(schema, 'description'),
    schema: plain(schema),
  };
}

function bodyOf(input: TObject, names: readonly string[]): Json {
  const required = requiredOf(input).filter((name) => names.includes(name));
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, plain(input.properties[name] ?? {})])),
    ...(required.length > 0 && { required }),
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function answerSchema(output: TSchema, isKeyed: boolean): Json {
  if (isPage(output)) return plain(output);
  const repeated = { type: 'boolean', description: 'The key was used before, and nothing was changed now' };
  return {
    type: 'object',
    required: ['data'],
    properties: { data: plain(output), ...(isKeyed && { repeated }) },
  };
}

/** Converts a schema to JSON, without TypeBox's own properties. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}
