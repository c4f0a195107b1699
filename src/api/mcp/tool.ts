/**
 * A tool of MCP: its arguments, and the request to the API that it becomes. A tool has no other
 * access to the gateway.
 */
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { describeField } from '../plumbing/openapi/describe-request.ts';
import { type Json, memberOf, plain, textsOf } from '../plumbing/openapi/json.ts';

/** The arguments of a tool, after `checkArguments`. */
export type Arguments = Readonly<Record<string, string | number | boolean>>;

/** A request to the API. */
export type ToolRequest = {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body?: object;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  /** Whether it spends money. */
  readonly buys: boolean;
  /** It returns long lists in parts. */
  readonly lists?: boolean;
  /** `merchant` is the code of the caller's profile. */
  readonly request: (sent: Arguments, merchant: string) => ToolRequest;
};

/** No other arguments: a misspelt one must not be ignored. */
export function argumentsOf<const Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** The part of a list to return. */
export const partFields = {
  limit: Type.Optional(
    Type.Integer({ description: 'how many to show, 1 to 50', minimum: 1, maximum: 50, default: 20 }),
  ),
  skip: Type.Optional(
    Type.Integer({
      description: 'how many to skip, 0 or more',
      minimum: 0,
      maximum: 100_000,
      default: 0,
    }),
  ),
};

export function get(path: string, query: Arguments = {}): ToolRequest {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return { method: 'GET', path: params.size === 0 ? path : `${path}?${params}` };
}

export function post(path: string, body: object): ToolRequest {
  return { method: 'POST', path, body };
}

/** Encodes a value for use in a path. */
export function segment(value: Arguments[string] | undefined): string {
  // Two dots would mean the parent path.
  return encodeURIComponent(String(value)).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'));
}

/** Its arguments as a JSON Schema that any validator knows. */
export function inputSchema({ input }: Tool): Json & { readonly type: 'object' } {
  const { properties, ...schema } = plain(input);
  const fields = Object.entries(memberOf({ properties }, 'properties'));
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, describeField(plain(field))])),
  };
}

/**
 * Returns an error that uses the names and types of the arguments, or the arguments. The route
 * checks their values.
 */
export function checkArguments(tool: Tool, sent: Readonly<Record<string, unknown>>): Arguments | string {
  const fields: Readonly<Record<string, TSchema>> = tool.input.properties;
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(fields, name)) {
      return `${tool.name} takes no ${name}: it takes ${Object.keys(fields).join(', ') || 'nothing'}`;
    }
    if (!['string', 'number', 'boolean'].includes(typeof value)) return wrong(name, fields[name]);
  }
  const missing = textsOf(plain(tool.input).required).find((name) => sent[name] === undefined);
  if (missing !== undefined) return wrong(missing, fields[missing]);
  return sent as Arguments;
}

function wrong(name: string, field: TSchema | undefined): string {
  return `${name} must be ${String(plain(field).description)}`;
}
