/**
 * The targets, from the documents and the registry: a new route or operation is a target without a
 * change here.
 */

import { operations } from '../../src/backoffice/operations/registry.ts';
import { isPage } from '../../src/core/operation-fields.ts';
import { readDocument } from '../../test/support/api-document.ts';
import { type ApiDocument, type Contract, createContract } from '../../test/support/contract.ts';
import type { Gateway } from '../../test/support/gateway.ts';
import type { Json } from './values.ts';

export const edges = ['api', 'admin', 'console', 'portal'] as const;
export type Edge = (typeof edges)[number];

export type Target = {
  readonly edge: Edge;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly bodies: readonly { readonly schema: Json; readonly examples: readonly unknown[] }[];
  /** The schemas that its schemas refer to. */
  readonly root: Json;
};

export type Surface = {
  readonly targets: readonly Target[];
  /** For the merchants' API and the admin API, whose answers are compared with it. */
  readonly contracts: Readonly<Record<Edge, Contract>>;
};

/** Words are taken in any letter case, and absent fields as null. */
const lenient = { headers: [], requests: false };

export async function readSurface({ adminUrl }: Gateway): Promise<Surface> {
  const api = await readDocument();
  const admin = (await (await fetch(`${adminUrl}/openapi.json`)).json()) as ApiDocument;
  const people = describeConsole();
  return {
    targets: [
      ...targetsOf('api', api),
      ...hiddenTargets(),
      ...targetsOf('admin', admin),
      ...targetsOf('console', people),
      ...targetsOf('portal', people),
    ],
    contracts: {
      // The document describes one canonical request. The API accepts other spellings too.
      api: createContract(api, { requests: false }),
      admin: createContract(admin, lenient),
      console: createContract(people, lenient),
      portal: createContract(people, lenient),
    },
  };
}

type Media = { readonly schema: Json; readonly examples?: Readonly<Record<string, { value: unknown }>> };

function targetsOf(edge: Edge, document: ApiDocument): Target[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      edge,
      method: method.toUpperCase(),
      path,
      parameters: parameters as Target['parameters'],
      bodies: Object.values((requestBody?.content ?? {}) as Readonly<Record<string, Media>>).map(
        ({ schema, examples = {} }) => ({
          schema,
          examples: Object.values(examples).map(({ value }) => value),
        }),
      ),
      root: document as unknown as Json,
    })),
  );
}

const notice = {
  type: 'object',
  properties: {
    requestId: { type: 'string' },
    data: {
      type: 'object',
      properties: { reference: { type: 'string' }, transactionId: { type: 'string' } },
    },
    event: { enum: ['charge.success', 'payment_success', 'refund'] },
    eventType: { enum: ['SUCCESSFUL_TRANSACTION'] },
    eventData: {
      type: 'object',
      properties: { transactionReference: { type: 'string' }, amountPaid: { type: 'number' } },
    },
    notifyType: { enum: ['ORDER_STATUS'] },
    content: { type: 'object', properties: { orderNo: { type: 'string' } } },
  },
} as const;

const message = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { enum: [1, 'a', null] },
    method: {
      enum: ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'notifications/initialized'],
    },
    params: {
      type: 'object',
      properties: {
        protocolVersion: { enum: ['2025-06-18', '1'] },
        capabilities: { type: 'object', properties: {} },
        clientInfo: { type: 'object', properties: { name: { type: 'string' }, version: { type: 'string' } } },
        name: { type: 'string' },
        arguments: {
          type: 'object',
          properties: { merchant: { type: 'string' }, request_ref: { type: 'string' } },
        },
      },
    },
  },
} as const;

/** Paths that are not in the document: the hooks, the address for agents, the pages. */
function hiddenTargets(): Target[] {
  const plain = { edge: 'api', parameters: [], bodies: [], root: {} } as const;
  const banks = ['monnify', 'paystack', 'flutterwave', 'payvessel'];
  const hooks = ['vtpass', 'nomba', 'reloadly', 'esimaccess', ...banks, 'sandbox', 'nobody'];
  return [
    ...hooks.map((name) => ({
      ...plain,
      method: 'POST',
      path: `/hooks/${name}`,
      bodies: [{ schema: notice, examples: [] }],
    })),
    ...['', '', ''].map(() => ({
      ...plain,
      method: 'POST',
      path: '/mcp',
      bodies: [{ schema: message, examples: [] }],
    })),
    ...['/openapi.json', '/docs', '/docs/json', '/docs/static/{file}', '/guides/{file}', '/{file}'].map(
      (path) => ({
        ...plain,
        method: 'GET',
        path,
        parameters: [{ name: 'file', in: 'path', schema: { type: 'string' } }],
      }),
    ),
  ];
}

const refusal = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        field: { type: 'string' },
        next: { type: 'string' },
        factors: { type: 'object' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
};

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** The console has no OpenAPI document: the operations are its interface. */
function describeConsole(): ApiDocument {
  const refusals = Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 413, 415, 417, 421, 422, 429, 431, 503].map((status) => [
      status,
      json(refusal),
    ]),
  );
  const anyAnswer = { 200: json({ type: 'object', required: ['data'] }), ...refusals };
  const plain = JSON.parse(JSON.stringify(operations)) as typeof operations;
  const paths = Object.fromEntries(
    plain.map(({ name, input, output }, index) => [
      `/api/operations/${name}`,
      {
        post: {
          requestBody: json(input),
          responses: {
            200: json(
              isPage(operations[index]?.output ?? output)
                ? output
                : {
                    type: 'object',
                    required: ['data'],
                    properties: { data: output, repeated: { type: 'boolean' } },
                  },
            ),
            202: json({ type: 'object', required: ['data'] }),
            ...refusals,
          },
        },
      },
    ]),
  );
  const lists = Object.fromEntries(
    operations
      .filter(({ output }) => isPage(output))
      .map(({ name }) => [
        `/api/csv/${name}`,
        {
          get: {
            parameters: [{ name: 'input', in: 'query', schema: { type: 'string' } }],
            responses: {
              200: { content: { 'text/csv': { schema: {} }, 'text/plain': { schema: {} } } },
              ...refusals,
            },
          },
        },
      ]),
  );
  const asked = Object.fromEntries(
    ['/api/session', '/api/sessions'].map((path) => [path, { get: { responses: anyAnswer } }]),
  );
  const sent = Object.fromEntries(
    Object.entries(formsOfConsole).map(([path, properties]) => [
      path,
      {
        post: {
          requestBody: json({
            type: 'object',
            properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
          }),
          responses: anyAnswer,
        },
      },
    ]),
  );
  return { paths: { ...paths, ...lists, ...asked, ...sent }, components: {} } as unknown as ApiDocument;
}

const formsOfConsole: Readonly<Record<string, readonly string[]>> = {
  '/api/sign-in': ['email', 'password', 'merchant'],
  '/api/links/accept': ['token', 'password', 'name'],
  '/api/step-up': ['password', 'passkey'],
  '/api/password': ['password'],
  '/api/sign-in/code': ['code', 'recovery_code'],
  '/api/sign-in/passkey/options': [],
  '/api/sign-in/passkey': ['passkey'],
  '/api/sign-in/link': ['token'],
  '/api/links/look': ['token'],
  '/api/forgotten': ['email'],
  '/api/sessions/end': ['id'],
  '/api/step-up/passkey/options': [],
  '/api/second-factor/totp/begin': [],
  '/api/second-factor/totp/confirm': ['code'],
  '/api/second-factor/totp/remove': [],
  '/api/second-factor/passkeys/begin': [],
  '/api/second-factor/passkeys/confirm': ['passkey', 'label'],
  '/api/second-factor/passkeys/remove': ['id'],
  '/api/second-factor/recovery-codes': [],
  '/api/sign-out': [],
};
