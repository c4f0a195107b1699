/**
 * Writes the tables of reasons in docs/merchants/errors.md from the list of the API:
 * `npm run reasons`. A test compares the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allReasons, failureReasons, type Reason, reasons } from '../../src/api/plumbing/reasons.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'merchants', 'errors.md');

const begin = '<!-- Written from the code by `npm run reasons`. -->';
const end = '<!-- The end of what is written from the code. -->';

export function readErrorsPage(): string {
  return readFileSync(page, 'utf8');
}

/** The page with current tables. */
export function withReasons(text: string): string {
  const [before = '', rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error('the page has no place for the tables');
  return `${before}${begin}\n\n${tables()}\n\n${end}${after}`;
}

const failures: readonly Reason[] = Object.values(failureReasons);

function tables(): string {
  const refusals = allReasons
    .map((reason) => ({ reason, statuses: statusesOf(reason) }))
    .filter(({ statuses }) => statuses.length > 0)
    .toSorted((one, other) => (one.statuses[0] ?? 0) - (other.statuses[0] ?? 0));
  const byStatus = Map.groupBy(refusals, ({ statuses }) => statuses[0]);
  return [
    '### Refusals',
    ...[...byStatus].flatMap(([status, same]) => [
      '',
      `**${status}**`,
      '',
      ...same.map(({ reason }) => lineOf(reason)),
    ]),
    '',
    '### Failed purchases',
    '',
    ...failures.map(lineOf),
    '',
    '### Results of tools',
    '',
    'These come only over [MCP](mcp.md).',
    '',
    ...allReasons.filter(isOfTool).map(lineOf),
  ].join('\n');
}

/** Lines of documents are at most 100 columns wide. */
function lineOf(reason: Reason): string {
  const [, ...others] = statusesOf(reason);
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  const lines = [`- \`${reason}\`${also}:`];
  for (const word of reasons[reason].meaning.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length <= 100) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}

function statusesOf(reason: Reason): number[] {
  const statuses: readonly number[] = reasons[reason].statuses;
  return statuses.filter((status) => status !== 200);
}

function isOfTool(reason: Reason): boolean {
  return statusesOf(reason).length === 0 && !failures.includes(reason);
}

if (import.meta.main) writeFileSync(page, withReasons(readErrorsPage()));
