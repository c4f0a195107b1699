/** The result of a batch as CSV (RFC 4180), in pieces, so that memory stays bounded. */
import { csvLines } from '../../../../core/csv-cell.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import type { Batch, BatchRow } from '../../../../purchases/batches/batch.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { rowWire } from '../batch.ts';

export const rowsPerPiece = 200;

const columns = [
  'line',
  'request_ref',
  'product',
  'network',
  'msisdn',
  'plan_code',
  'kind',
  'amount',
  'charge',
  'status',
  'reason',
  'message',
  'token',
  'units',
  'kct1',
  'kct2',
] as const;

type Piece = { readonly batch: Pick<Batch, 'hash'>; readonly rows: readonly BatchRow[] };

/** `first` are the first rows, at most `rowsPerPiece`. */
export async function* resultCsv(
  batches: Pick<ServerDependencies['batches'], 'rows'>,
  principal: Principal,
  id: string,
  first: Piece,
): AsyncGenerator<string> {
  yield csvLines([columns]);
  for (let piece = first; piece.rows.length > 0; ) {
    yield linesOf(piece);
    const after = piece.rows.at(-1)?.line ?? 0;
    piece = await batches.rows(principal, id, { after, limit: rowsPerPiece });
  }
}

function linesOf({ batch, rows }: Piece): string {
  return csvLines(
    rows.map((row) => {
      const wire: Readonly<Record<string, unknown>> = rowWire(batch, row);
      return columns.map((column) => wire[column]);
    }),
  );
}
