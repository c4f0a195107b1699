/** Writes catalog records as files from which `readCatalogFile` reads the same plans. */
import { stringify } from 'csv-stringify/sync';
import type { CatalogRecord } from '../catalog-item.ts';

export function writeJsonExport(records: readonly CatalogRecord[]): string {
  return JSON.stringify(records, null, 2);
}

/**
 * Writes one column for each field, and `provider_codes.<provider>.<code>` for each provider code.
 * A provider without codes has a column of its name only.
 */
export function writeCsvExport(records: readonly CatalogRecord[]): string {
  const rows = records.map(toCells);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return stringify(
    rows.map((row) => columns.map((column) => guardCell(row[column] ?? ''))),
    // Space at the start or end of a cell belongs to the value only within quotes.
    { header: true, columns, quoted_match: /^\s|\s$|[;|\t]/ },
  ).trimEnd();
}

/**
 * Guards against formulas: a spreadsheet must not run a provider's title, also when it splits the
 * cell at another separator. `readCatalogFile` removes the apostrophes.
 */
function guardCell(cell: string): string {
  const inside = cell.replace(/([,;|\t\r\n][ "]*)(?='*[=+\-@])/g, "$1'");
  return /^'*[=+\-@\t\r]/.test(inside) ? `'${inside}` : inside;
}

function toCells(record: CatalogRecord): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [field, value] of Object.entries(record)) {
    if (field === 'provider_codes') Object.assign(cells, codeCells(value));
    else cells[field] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return cells;
}

function codeCells(codes: unknown): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [provider, own] of Object.entries((codes ?? {}) as Record<string, Record<string, string>>)) {
    const entries = Object.entries(own);
    if (entries.length === 0) cells[`provider_codes.${provider}`] = 'yes';
    for (const [code, value] of entries) cells[`provider_codes.${provider}.${code}`] = value;
  }
  return cells;
}
