/** `oja audit`: proves the books on the live database. */
import type { Command } from 'commander';
import type { AuditResult } from '../../audit/findings.ts';
import { type AuditReport, runAudit, type WholeReason } from '../../audit/run-audit.ts';
import type { Row } from '../../db/database.ts';
import { addCommand, type Run } from '../add-command.ts';
import { formatTime } from '../format.ts';
import { table } from '../output.ts';

export function addAudit(program: Command, run: Run): void {
  addCommand<[], { readonly sinceLast?: boolean }>(program, run, {
    name: 'audit',
    description:
      'check every invariant of purchases and money while the gateway runs; exit 1 and the differences when one does not hold',
    examples: ['audit', 'audit --since-last', 'audit --json'],
    configure: (command) =>
      command.option('--since-last', 'only what is new since the last clean audit, and what is open'),
    work: async ({ database }, _args, { sinceLast = false }) => {
      const report = await runAudit(database, { sinceLast });
      const { checks, kind, since, wholeBecause } = report;
      const failed = checks.filter((check) => !check.ok);
      return {
        data: { ok: failed.length === 0, kind, since, whole_because: wholeBecause, checks },
        text: [...extent(report), ...checks.map(checkText), '', verdict(checks.length, failed.length)].join(
          '\n',
        ),
        failed: failed.length > 0,
      };
    },
  });
}

const reasonWords: Readonly<Record<WholeReason, string>> = {
  none: 'no audit has ended without differences yet',
  red: 'an audit since the last clean one has found differences',
  version: 'the checks have changed since the last clean audit',
  database: 'the last clean audit was of another database, of which this is a copy',
  far: 'the last clean audit is too long ago',
  clock: "the database's clock has gone back since the last clean audit",
  much: 'too much is new since the last clean audit',
};

/** What was audited, where it was not simply all. */
function extent({ since, wholeBecause }: AuditReport): string[] {
  if (since !== undefined) return [`What is new since ${formatTime(since)}, and what is open:`, ''];
  if (wholeBecause === undefined) return [];
  return [`All of it, since ${reasonWords[wholeBecause]}:`, ''];
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
