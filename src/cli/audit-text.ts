/** Prints an audit: each check on a line, and the differences of those that failed. */
import type { Static } from 'typebox';
import type { runAuditOperation } from '../audit/operations/run-audit.ts';
import { timeText } from './format.ts';
import { table } from './output.ts';

type Report = Static<typeof runAuditOperation.output>;
type Check = Report['checks'][number];

export function auditText({ checks }: Report): string {
  return [...checks.map(checkText), '', verdict(checks)].join('\n');
}

function verdict(checks: readonly Check[]): string {
  const failed = checks.filter((check) => !check.ok).length;
  return failed === 0
    ? `All ${checks.length} checks passed.`
    : `${failed} of ${checks.length} checks failed. Amounts are in minor units (kobo).`;
}

function checkText(check: Check): string {
  const line = `${check.ok ? 'ok   ' : 'FAIL '} ${check.name.padEnd(18)} ${check.description}`;
  if (check.ok) return line;
  const more = check.count - check.differences.length;
  const shown = differencesTable(check.differences).replaceAll(/^/gm, '        ');
  return `${line}: ${count(check.count)}\n${shown}${more > 0 ? `\n        … and ${more} more` : ''}`;
}

function count(differences: number): string {
  return differences === 1 ? '1 difference' : `${differences} differences`;
}

type Difference = Check['differences'][number];

function differencesTable(rows: readonly Difference[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return table(
    rows,
    columns.map((title) => ({
      title,
      of: (row: Difference) => cell(row[title]),
      right: rows.every((row) => isNumber(row[title])),
    })),
    '',
  );
}

function isNumber(value: unknown): boolean {
  return value === null || /^-?[0-9]+$/.test(String(value));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+\+01:00$/.test(text) ? timeText(text) : text;
}
