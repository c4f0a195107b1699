/** Describes a route as an operation of the document. Pure. */
import { describeAnswers, named } from './describe-answers.ts';
import { describeBody, describeParameters } from './describe-request.ts';
import type { DocumentedRoute } from './documented-route.ts';
import { type Json, memberOf, plain, without } from './json.ts';

export function describeOperation(route: DocumentedRoute): Json {
  const { operationId, summary, description, tags, security, querystring, params } = route.schema;
  const parameters = [
    ...describeParameters(plain(params), 'path'),
    ...describeParameters(plain(querystring), 'query'),
    ...(route.isTagged ? [ifNoneMatch] : []),
  ];
  return {
    operationId,
    summary,
    description,
    tags,
    ...(security !== undefined && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.schema.body !== undefined && { requestBody: describeRequest(route) }),
    responses: describeAnswers(route),
  };
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'the ETag of a cached answer: 304 if it is unchanged',
  schema: { type: 'string' },
};

const form = 'multipart/form-data';

function describeRequest({ schema: { body, consumes } }: DocumentedRoute): Json {
  const schema = plain(body);
  const examples = named(memberOf(schema, 'x-examples'));
  const takesForm = consumes?.includes(form) === true;
  return {
    required: true,
    content: {
      'application/json': { schema: describeBody(takesForm ? withoutFiles(schema) : schema), examples },
      ...(takesForm && {
        [form]: {
          schema: { ...describeBody(schema), title: `${String(schema.title)}Form` },
          examples,
          encoding: encodingOf(schema),
        },
      }),
    },
  };
}

/** JSON has no files. */
function withoutFiles(schema: Json): Json {
  return { ...schema, properties: without(memberOf(schema, 'properties'), ...filesIn(schema)) };
}

function filesIn(schema: Json): readonly string[] {
  const fields = memberOf(schema, 'properties');
  return Object.keys(fields).filter((name) => memberOf(fields, name).contentMediaType !== undefined);
}

/** The media types of its files. */
function encodingOf(schema: Json): Json {
  const fields = memberOf(schema, 'properties');
  const kinds = filesIn(schema).map((name) => [
    name,
    { contentType: memberOf(fields, name)['x-file-types'] },
  ]);
  return Object.fromEntries(kinds);
}
