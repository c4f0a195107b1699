/**
 * Exports the audit log as lines that can be verified without Oja and without the database: a whole
 * section of the chain, each entry with the exact texts that are hashed.
 *
 * Guarantees: it contains all entries of the requested time. As the chain has the order of commits,
 * it may include some entries just outside that time; without them the chain would have gaps. It is
 * read in pages, so it can be of any size and holds no snapshot for long.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { dayField, inputOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import type { Sql } from '../../../db/database.ts';
import type { Asking } from '../acting.ts';
import {
  type ExportedEntry,
  findHead,
  findPositions,
  LINKS_PER_SLICE,
  listExported,
  type TimePlace,
} from '../audit-chain-store.ts';
import { readPeriod } from './list-audit-log.ts';

const LINES_MAX = 5_000;

export const exportAuditLogOperation = defineOperation({
  name: 'audit_log.export',
  kind: 'question',
  summary: 'export the audit log, oldest first, as lines with hashes that anyone can verify',
  roles: treasurers,
  needsStepUp: true,
  listsPeople: true,
  route: 'GET /audit-log/export',
  document: 'operators/audit-log.md',
  input: inputOf({
    from: Type.Optional(dayField),
    to: Type.Optional(dayField),
    limit: Type.Optional(
      Type.Integer({
        description: `the number of lines per page, a whole number from 1 to ${LINES_MAX}`,
        minimum: 1,
        maximum: LINES_MAX,
        default: 1_000,
      }),
    ),
    cursor: pageFields.cursor,
  }),
  output: pageOf(Type.String()),
  run: async ({ sql }: Asking, { from, to, limit = 1_000, cursor }) => {
    const { lines, next } = await exportLines(sql, { ...readPeriod({ from, to }), limit, cursor });
    return { data: lines, cursor: next ?? null };
  },
});

type ExportOptions = {
  /** A half-open period: the first time is included, the second is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
};

/**
 * Some lines of the file, without their ends. There are more while there is a `next`. Throws
 * OperationError `input_malformed`.
 */
export async function exportLines(
  sql: Sql,
  { from, to, limit, cursor }: ExportOptions,
): Promise<{ readonly lines: string[]; readonly next?: string }> {
  const stretch = cursor === undefined ? await findStretch(sql, from, to) : readCursor(cursor);
  if (stretch === undefined) return { lines: [] };
  const { first, last } = stretch;
  const entries = await listExported(sql, first - 1n, last, limit);
  const lines = entries.map(jsonLine);
  const end = entries.at(-1)?.position ?? last;
  return end < last ? { lines, next: `${end + 1n}-${last}` } : { lines };
}

/** The start of the next page, and the end of the range that the first page has found. */
function readCursor(cursor: string): Stretch {
  const [, first, last] = /^([0-9]{1,18})-([0-9]{1,18})$/.exec(cursor) ?? [];
  if (first !== undefined && last !== undefined) return { first: BigInt(first), last: BigInt(last) };
  const fault = { field: 'cursor', kind: 'wrong', wanted: 'the cursor of the page before' } as const;
  throw new OperationError({ code: 'input_malformed', errors: [fault] });
}

type Stretch = { readonly first: bigint; readonly last: bigint };

/** The first and the last position of an entry in the time. */
async function findStretch(
  sql: Sql,
  from: Date | undefined,
  to: Date | undefined,
): Promise<Stretch | undefined> {
  const head = await findHead(sql);
  if (head === undefined) return undefined;
  if (from === undefined && to === undefined) return { first: 1n, last: head.position };
  let stretch: Stretch | undefined;
  let place: TimePlace = { at: from?.toISOString() ?? '-infinity', id: 0n };
  for (;;) {
    const part = await findPositions(sql, place, to, LINKS_PER_SLICE);
    if (part.first !== null && part.last !== null) {
      const { first, last }: Stretch = stretch ?? { first: part.first, last: part.last };
      stretch = { first: min(first, part.first), last: max(last, part.last) };
    }
    if (part.place === undefined || part.rows < LINKS_PER_SLICE) return stretch;
    place = part.place;
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function jsonLine(entry: ExportedEntry): string {
  return JSON.stringify({ ...entry, position: String(entry.position) });
}
