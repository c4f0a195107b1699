/**
 * The answers of a route in the document: its answers with their examples, and every possible
 * refusal with its real body. Pure.
 */
import { isRecord } from '../../../core/json.ts';
import { refusalBody } from '../refusal.ts';
import { refusalOf } from '../refusal-of.ts';
import { errorSchema, type RefusalStatus, refusalDescriptions } from '../refusals.ts';
import type { Examples, NamedRefusal } from './annotations.ts';
import { commonRefusals } from './common-refusals.ts';
import type { DocumentedRoute } from './documented-route.ts';
import { type Json, memberOf, plain, without } from './json.ts';

/** The responses of an operation, by status. */
export function describeAnswers(route: DocumentedRoute): Json {
  const responses: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(route.schema.response ?? {})) {
    responses[status] = describeAnswer(plain(schema), route);
  }
  if (route.isTagged) responses[304] = unchanged;
  for (const [status, examples] of Object.entries(refusalsByStatus(route))) {
    const refused = describeRefusal(Number(status) as RefusalStatus, examples);
    const answered = responses[status];
    responses[status] = answered === undefined ? refused : either(answered, refused);
  }
  return responses;
}

function describeAnswer(schema: Json, route: DocumentedRoute): Json {
  const { answerExamples, otherAnswers } = route.schema;
  const headers = { ...commonHeaders, ...(route.isTagged && { ETag: header('ETag') }) };
  if (isRecord(schema.content)) return { ...schema, headers };
  const examples = answerExamples ?? memberOf(schema, 'x-examples');
  return {
    description: schema['x-response-description'],
    headers: {
      ...headers,
      ...(otherAnswers !== undefined && { 'Content-Disposition': header('ContentDisposition') }),
    },
    content: {
      'application/json': {
        schema: without(schema, 'x-response-description', 'x-examples'),
        examples: named(examples),
      },
      ...Object.fromEntries(
        Object.entries(otherAnswers ?? {}).map(([type, other]) => [
          type,
          { schema: other.schema, examples: named(other.examples) },
        ]),
      ),
    },
  };
}

/** One status with two shapes. */
function either(one: Json, other: Json): Json {
  const media = [one, other].map((answer) => memberOf(memberOf(answer, 'content'), 'application/json'));
  return {
    description: `${String(one.description)} ${String(other.description)}`,
    headers: { ...memberOf(one, 'headers'), ...memberOf(other, 'headers') },
    content: {
      'application/json': {
        schema: { anyOf: media.map(({ schema }) => schema) },
        examples: Object.assign({}, ...media.map(({ examples }) => examples)),
      },
    },
  };
}

function describeRefusal(status: RefusalStatus, examples: Examples): Json {
  return {
    description: refusalDescriptions[status],
    headers: {
      ...commonHeaders,
      ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
    },
    content: { 'application/json': { schema: plain(errorSchema), examples: named(examples) } },
  };
}

/** The bodies that are sent, by status and name. */
function refusalsByStatus(route: DocumentedRoute): Record<string, Record<string, unknown>> {
  const names = route.fieldNames;
  const own = (route.schema.refusals ?? []).map((given): NamedRefusal => {
    if ('refusal' in given) return given;
    return { name: given.code, refusal: refusalOf([given], names, { isRead: route.looksUp }) };
  });
  const byStatus: Record<string, Record<string, unknown>> = {};
  for (const { name, refusal } of [...own, ...commonRefusals(route)]) {
    const examples = byStatus[refusal.status] ?? {};
    examples[name] ??= refusalBody(refusal);
    byStatus[refusal.status] = examples;
  }
  return byStatus;
}

/** `electricity_success` is summarised as "Electricity success". */
export function named(examples: Examples): Json {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name, { summary: summaryOf(name), value }]),
  );
}

function summaryOf(name: string): string {
  const text = name.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function header(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}

const commonHeaders: Json = {
  'X-Request-Id': header('RequestId'),
  'Cache-Control': header('CacheControl'),
};

const unchanged: Json = {
  description: 'The answer still has the ETag in `If-None-Match`.',
  headers: { ...commonHeaders, ETag: header('ETag') },
};

/** The headers that answers refer to. */
export const headerComponents: Json = {
  RequestId: {
    description:
      'your X-Request-Id if it is well formed, otherwise a generated one: state it when you ask for help; ' +
      'absent where no request could be read',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,99}$' },
    example: 'k3Jf9a2c-1',
  },
  CacheControl: {
    description: 'no-store, except for the catalogs, which may be cached and must be revalidated',
    schema: { type: 'string' },
    example: 'no-store',
  },
  ETag: {
    description: 'the ETag of the answer: send it as `If-None-Match` with the next request',
    schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]+"$' },
    example: 'W/"Jv3GPhOgGnLhjuw4CL1Sjbs3LzQ7AzEZ-CpNtZjbWms"',
  },
  RetryAfter: {
    description: 'how many seconds to wait, where that is known',
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
    example: '1',
  },
  ContentDisposition: {
    description: 'the file name of a CSV answer',
    schema: { type: 'string' },
    example: 'attachment; filename="statement-2026-11-01-2026-11-30.csv"',
  },
};
