/**
 * One request of an operation in three languages, with the examples of the OpenAPI document, which
 * are of plans and numbers that the demo has. `$OJA`, `$KEY` and `$SECRET` are those of the quick
 * start.
 */
import type { Parameter, Route } from './document.ts';

export type Sample = { readonly curl: string; readonly typescript: string; readonly php: string };

/** Names of client methods by operation, as `sdk/methods.json` has them. */
export type Methods = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

/** The values of one request: path, query and body. */
export type SampleRequest = {
  readonly path: Fields;
  readonly query: Fields;
  readonly body: Fields | undefined;
};

/** Queries that show more than the combined examples of the parameters would. */
const queries: Readonly<Record<string, Fields>> = {
  getTransactionStatus: { request_ref: 'order-20261121-0001' },
  listGiftCards: { brand: 'Amazon', currency: 'USD' },
  quoteGiftCard: {},
  getGiftCardAvailability: { quantity: 2 },
  listEsims: { country: 'NG' },
  listEvents: { types: 'transaction.success', limit: 10 },
};

/** The lists that the clients iterate, and the names of their methods. */
const items: Readonly<Record<string, string>> = {
  listTransactions: 'row',
  getWalletStatement: 'line',
  listEvents: 'event',
  listWebhookDeliveries: 'delivery',
  listBatches: 'batch',
  listBatchRows: 'row',
};

const qrCode = 'getEsimQrCode';

export function sampleOf(route: Route, methods: Methods): Sample {
  const { operationId } = route.operation;
  const request = requestOf(route);
  const method = methods[operationId];
  if (method === undefined) throw new Error(`sdk/methods.json has no ${operationId}`);
  return {
    curl: curlOf(route, request),
    typescript: typescriptOf(operationId, method, argumentsOf(operationId, request)),
    php: phpOf(operationId, method, argumentsOf(operationId, request)),
  };
}

export function requestOf({ operation }: Route): SampleRequest {
  const { operationId, parameters = [], requestBody } = operation;
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const given = (place: Parameter['in']): Parameter[] =>
    parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined);
  return {
    path: valuesOf(given('path')),
    query: queries[operationId] ?? valuesOf(given('query')),
    body: example?.value as Fields | undefined,
  };
}

function valuesOf(parameters: readonly Parameter[]): Fields {
  return Object.fromEntries(
    parameters.map(({ name, example, schema }) => [
      name,
      schema.type === 'integer' ? Number(example) : example,
    ]),
  );
}

function curlOf({ method, path, operation }: Route, request: SampleRequest): string {
  const isPlain = method === 'get' || (method === 'post' && request.body !== undefined);
  const lines = [`curl -s ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$OJA${filled(path, request)}"`];
  if (operation.security?.length !== 0) {
    lines.push('  -H "X-Merchant-Key: $KEY" -H "X-Merchant-Secret: $SECRET"');
  }
  if (request.body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d '${JSON.stringify(request.body)}'`);
  }
  if (operation.operationId === qrCode) lines.push('  -o qrcode.png');
  return lines.join(' \\\n');
}

function filled(path: string, { path: values, query }: SampleRequest): string {
  const plain = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(values[name])));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? plain : `${plain}?${pairs.join('&')}`;
}

/**
 * The parameters of a client's method: the values of the path in order, then all others by name.
 * The client knows its merchant. A status is queried by its reference only.
 */
function argumentsOf(operationId: string, { path, query, body }: SampleRequest): unknown[] {
  if (operationId === 'getTransactionStatus') return Object.values(query);
  const { merchant: _merchant, ...named }: Fields = { ...query, ...body };
  return [...Object.values(path), ...(Object.keys(named).length === 0 ? [] : [named])];
}

function typescriptOf(operationId: string, method: string, given: readonly unknown[]): string {
  const head = `import { Oja } from 'oja-client';\n\nconst oja = new Oja({ key, secret, merchant, baseUrl });\n`;
  const call = `oja.${method}(${given.map((value) => typescriptValue(value, '')).join(', ')})`;
  const item = items[operationId];
  if (item !== undefined) return `${head}for await (const ${item} of ${call}) {\n  console.log(${item});\n}`;
  return `${head}const ${operationId === qrCode ? 'png' : 'answer'} = await ${call};`;
}

function typescriptValue(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => typescriptValue(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, item]) => `${indent}  ${name}: ${typescriptValue(item, `${indent}  `)},`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function phpOf(operationId: string, method: string, given: readonly unknown[]): string {
  const head =
    "$oja = new Oja\\Client(['url' => $url, 'key' => $key, 'secret' => $secret, 'merchant' => $merchant]);\n";
  const values =
    operationId === 'advanceTestClock' ? given.flatMap((value) => Object.values(value as Fields)) : given;
  const call = `$oja->${method.replace('.', '->')}(${values.map((value) => phpValue(value, '')).join(', ')})`;
  const item = items[operationId];
  if (item !== undefined) return `${head}foreach (${call} as $${item}) {\n    print_r($${item});\n}`;
  return `${head}$${operationId === qrCode ? 'png' : 'answer'} = ${call};`;
}

function phpValue(value: unknown, indent: string): string {
  if (typeof value === 'string') return phpText(value);
  if (Array.isArray(value)) return `[${value.map((item) => phpValue(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, item]) => `${indent}    '${name}' => ${phpValue(item, `${indent}    `)},`,
  );
  return `[\n${lines.join('\n')}\n${indent}]`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/** In single quotes PHP has no escape for the end of a line. */
function phpText(text: string): string {
  return text.includes('\n') ? JSON.stringify(text).replaceAll('$', '\\$') : quoted(text);
}
