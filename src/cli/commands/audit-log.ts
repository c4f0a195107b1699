/** `oja audit-log`: who did what to what, and the proof that nobody has changed it. */
import { exportAuditLogOperation } from '../../oversight/log/operations/export-audit-log.ts';
import { listAuditLogOperation } from '../../oversight/log/operations/list-audit-log.ts';
import { verifyAuditLogOperation } from '../../oversight/log/operations/verify-audit-log.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const auditLogCommands: readonly OperationCommand[] = [
  commandOf(listAuditLogOperation, {
    flags: { actor: '--by <name>' },
    examples: [
      'audit-log list',
      'audit-log list --action purchase.reveal_goods',
      'audit-log list --by ada --action wallet --json',
      'audit-log list --principal user:root --from 2026-11-01 --to 2026-11-30',
    ],
  }),
  commandOf(verifyAuditLogOperation, {
    examples: [
      'audit-log verify',
      'audit-log verify --entry 48230 --hash 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    ],
    text: verdictText,
    isWrong: ({ ok }) => !ok,
  }),
  commandOf(exportAuditLogOperation, {
    examples: ['audit-log export --from 2026-11-01 --to 2026-11-30'],
    whole: { options: [], hides: [], print: printLines },
  }),
];

async function* printLines(pages: AsyncIterable<{ readonly data: readonly string[] }>) {
  for await (const { data } of pages) yield data.map((line) => `${line}\n`).join('');
}

const brokenWords = {
  changed: (entry: string) => `Entry ${entry} was changed.`,
  missing: (entry: string) => `Entry ${entry} is missing.`,
  missing_before: (entry: string) => `Before entry ${entry}, one is missing.`,
  put_between: (entry: string) => `Entry ${entry} was put between.`,
  order: (entry: string) => `Entry ${entry} is out of order.`,
} as const;

type Verdict = {
  readonly entries: string;
  readonly head: { readonly entry: string; readonly hash: string } | null;
  readonly broken: { readonly entry: string; readonly how: keyof typeof brokenWords } | null;
};

function verdictText({ entries, head, broken }: Verdict): string {
  if (broken !== null) {
    return `${brokenWords[broken.how](broken.entry)} It is the first that is wrong; before it, ${entries} are in order.`;
  }
  const lines = [`Verified ${entries} entries. None was changed, removed, put between or moved.`];
  if (head !== null) lines.push(`Head: entry ${head.entry}, hash ${head.hash}`, 'Keep it elsewhere.');
  return lines.join('\n');
}
