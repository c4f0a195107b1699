/**
 * Exports lists as CSV, for every operation that returns one list in pages.
 *
 * Guarantees: one page is in memory at a time, and no snapshot is held; the session is checked for
 * each page, so an ended session receives no more; a truncated list states its truncation.
 */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { BodyError, parseJsonText } from '../../api/edge/read-json-body.ts';
import { csvLines } from '../../core/csv-cell.ts';
import { type Environment, environments } from '../../core/environment.ts';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';
import { isSensitive } from '../../core/operation.ts';
import { operationNamed } from '../operations/registry.ts';
import { type RegisteredOperation, requireRole, runOperation } from '../operations/run-operation.ts';
import { findPresent, type Present } from '../users/open-session.ts';
import { SignInError } from '../users/sign-in-error.ts';
import type { Audience } from '../users/tenant-scope.ts';
import { ConsoleRefusal } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { operatorOf, requireOpen, requireStepUp, sharerOf } from './require-open.ts';

const PAGE_ROWS = 200;
const ROWS_MAX = 500_000;

type Page = { readonly rows: readonly unknown[]; readonly cursor: string | null };

type Reading = {
  readonly operation: RegisteredOperation;
  readonly list: ListShape;
  readonly input: object;
  /** Keeps only rows of this environment, like the list on the screen. Undefined: rows of both. */
  readonly environment: Environment | undefined;
};

export function serveCsv(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { face } = dependencies;
  app.get('/api/csv/:name', async (request, reply) => {
    const present = requireOpen(request);
    const operation = operationNamed((request.params as { readonly name: string }).name);
    const list = listShapeOf(operation.output);
    if (operation.kind !== 'question' || list === undefined) {
      throw new ConsoleRefusal(404, 'no_csv', 'This operation returns no list');
    }
    const query = request.query as { readonly input?: unknown; readonly environment?: unknown };
    const environment = readEnvironment(query.environment, list);
    const reading = { operation, list, input: readInput(query.input), environment };
    requireRole(operation, operatorOf(present, face));
    if (isSensitive(operation) || operation.listsPeople === true) requireStepUp(present);
    takePlace(sharerOf(present, face), reply);
    // Errors of the first page are answered before anything is sent.
    const first = await readPage(dependencies, reading, present);
    const text = Readable.from(lines(dependencies, reading, present, first));
    // The last line of a truncated list states that it continues.
    reply.header('x-rows-max', ROWS_MAX);
    const [type, ending] = list.columns === undefined ? ['text/plain', 'txt'] : ['text/csv', 'csv'];
    reply.header('content-disposition', `attachment; filename="${operation.name}.${ending}"`);
    return reply.type(`${type}; charset=utf-8`).send(text);
  });
}

/** Limits open exports, and the pages that they read concurrently, in this process. */
const open = new FairGate<Audience>(limits.exports);
const reading = new FairGate<Audience>(limits.exportPages);

/** Takes a slot until the response is closed. */
function takePlace(sharer: Sharer<Audience>, reply: FastifyReply): void {
  const place = open.tryEnter(sharer);
  if (place === undefined) throw tooMany();
  if (reply.raw.closed) place();
  else reply.raw.once('close', place);
}

function tooMany(): ConsoleRefusal {
  return new ConsoleRefusal(503, 'exports_full', 'Too many exports at once. Try again shortly.', 5);
}

/** Refuses the filter for a list whose rows have no environment. */
function readEnvironment(text: unknown, { columns }: ListShape): Environment | undefined {
  if (text === undefined) return undefined;
  const environment = environments.find((one) => one === text);
  if (environment === undefined || columns?.includes('environment') !== true) {
    throw new ConsoleRefusal(400, 'request_malformed', 'This list has no such environment');
  }
  return environment;
}

function readInput(text: unknown): object {
  const refusal = new ConsoleRefusal(400, 'request_malformed', 'input must be a JSON object');
  if (text === undefined) return {};
  if (typeof text !== 'string') throw refusal;
  const input = parsed(text);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw refusal;
  return input;
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}

async function readPage(
  { services, face }: ConsoleDependencies,
  { operation, list, input, environment }: Reading,
  present: Present,
): Promise<Page> {
  const limit = 'limit' in operation.input.properties ? { limit: PAGE_ROWS } : {};
  // The slot is held only while a page is read, so a slow reader does not delay others.
  const { output } = await reading.run(sharerOf(present, face), {}, tooMany, () =>
    runOperation(services, operation, { ...input, ...limit }, operatorOf(present, face)),
  );
  const page = output as Readonly<Record<string, unknown>> & Pick<Page, 'cursor'>;
  const rows = page[list.property] as Page['rows'];
  const isShown = (row: unknown) => Reflect.get(Object(row), 'environment') === environment;
  return { rows: environment === undefined ? rows : rows.filter(isShown), cursor: page.cursor };
}

async function* lines(
  dependencies: ConsoleDependencies,
  reading: Reading,
  present: Present,
  first: Page,
): AsyncGenerator<string> {
  const { database, face } = dependencies;
  const { columns } = reading.list;
  if (columns !== undefined) yield csvLines([columns]);
  let page = first;
  for (let written = page.rows.length; ; written += page.rows.length) {
    yield linesOf(page.rows, columns);
    if (page.cursor === null) return;
    if (written >= ROWS_MAX) {
      yield csvLines([[`The list continues after ${written} rows. Narrow the filters.`]]);
      return;
    }
    const still = await findPresent(database, present.token, face);
    if (still?.session.state !== 'open') throw new SignInError({ code: 'signed_out' });
    const input = { ...reading.input, cursor: page.cursor };
    page = await readPage(dependencies, { ...reading, input }, still);
  }
}

function linesOf(rows: Page['rows'], columns: ListShape['columns']): string {
  if (columns === undefined) return rows.map((row) => `${String(row)}\n`).join('');
  return csvLines(rows.map((row) => columns.map((column) => Reflect.get(Object(row), column))));
}

/**
 * The property of an output that is its list, and its columns. Rows without columns are lines of
 * text.
 */
type ListShape = { readonly property: string; readonly columns: readonly string[] | undefined };

/**
 * Returns the list of a paged output: `data` of most operations, `items` of a statement. Other
 * arrays, such as totals, are ignored. Undefined for other outputs.
 */
function listShapeOf(output: TSchema): ListShape | undefined {
  const properties: object = Object(Reflect.get(output, 'properties'));
  if (!Object.hasOwn(properties, 'cursor')) return undefined;
  const [list, ...others] = Object.entries(properties).flatMap(([property, schema]): ListShape[] => {
    const row: object = Object(Reflect.get(Object(schema), 'items'));
    const columns: unknown = Reflect.get(row, 'properties');
    if (columns !== undefined) return [{ property, columns: Object.keys(Object(columns)) }];
    return property === 'data' && Reflect.get(row, 'type') === 'string'
      ? [{ property, columns: undefined }]
      : [];
  });
  return others.length === 0 ? list : [list, ...others].find((one) => one?.property === 'data');
}
