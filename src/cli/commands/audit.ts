/** `oja audit`: proves the books on the live database. */
import type { Command } from 'commander';
import { type AuditResult, auditVends } from '../../audit/audit-vends.ts';
import type { Row } from '../../db/database.ts';
import { addCommand, type Run } from '../add-command.ts';
import { formatTime } from '../format.ts';
import { table } from '../output.ts';

export function addAudit(program: Command, run: Run): void {
  addCommand(program, run, {
    name: 'audit',
    description:
      'check every invariant of purchases and money while the gateway runs; exit 1 and the differences when one does not hold',
    examples: ['audit', 'audit --json'],
    work: async ({ database }) => {
      const { checks } = await auditVends(database);
      const failed = checks.filter((check) => !check.ok);
      return {
        data: { ok: failed.length === 0, checks },
        text: [...checks.map(checkText), '', verdict(checks.length, failed.length)].join('\n'),
        failed: failed.length > 0,
      };
    },
  });
}

function verdict(checks: number, failed: number): string {
  return failed === 0
    ? `All ${checks} checks hold.`
    : `${failed} of ${checks} checks failed. Amounts are in minor units (kobo).`;
}

function checkText(check: AuditResult): string {
  const line = `${check.ok ? 'ok   ' : 'FAIL '} ${check.name.padEnd(18)} ${check.description}`;
  if (check.ok) return line;
  const more = check.count - check.differences.length;
  const shown = differencesTable(check.differences).replaceAll(/^/gm, '        ');
  return `${line}: ${count(check.count)}\n${shown}${more > 0 ? `\n        … and ${more} more` : ''}`;
}

function count(differences: number): string {
  return differences === 1 ? '1 difference' : `${differences} differences`;
}

function differencesTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return table(
    rows,
    columns.map((title) => ({
      title,
      of: (row: Row) => cell(row[title]),
      right: typeof rows[0]?.[title] === 'bigint',
    })),
    '',
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? formatTime(value) : String(value);
}
