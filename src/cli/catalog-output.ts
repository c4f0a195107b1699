/** How a proposed change of the catalog is shown, and what became of it. */

import type { CatalogChange, CatalogDiff } from '../catalog/diff-catalog.ts';
import type { DataResult } from './add-command.ts';
import { CommandError } from './command-error.ts';

const LINES_MAX = 500;
const signs = { added: '+', changed: '~', withdrawn: '-' } as const;

/** Throws CommandError where anything is at fault: nothing was applied then. */
export function refuseFaults(source: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const rows = faults.slice(0, LINES_MAX).map((fault) => `  ${fault}`);
  const rest = faults.length > LINES_MAX ? `\n  and ${faults.length - LINES_MAX} more` : '';
  throw new CommandError(`${source} is at fault, nothing was applied:\n${rows.join('\n')}${rest}`);
}

export function showChange(
  { diff, applied }: { readonly diff: CatalogDiff; readonly applied: boolean },
  { apply, force, notes = [] }: { apply: boolean; force: boolean; notes?: readonly string[] },
): DataResult {
  const { changes, missing } = diff;
  const steep = changes.filter((change) => change.steep).length;
  const refused = apply && !applied && steep > 0 && !force;
  const count = (what: CatalogChange['change']): number =>
    changes.filter(({ change }) => change === what).length;
  const lines = changes.slice(0, LINES_MAX).flatMap(toLines);
  if (changes.length > LINES_MAX) lines.push(`and ${changes.length - LINES_MAX} more`);
  if (missing.length > 0) {
    lines.push(`${missing.length} on sale are not in it and stay as they are (--withdraw-missing).`);
  }
  lines.push(...notes);
  lines.push(`${count('added')} added, ${count('changed')} changed, ${count('withdrawn')} withdrawn.`);
  lines.push(verdict());
  return {
    data: {
      added: count('added'),
      changed: count('changed'),
      withdrawn: count('withdrawn'),
      steep,
      missing: missing.map(({ key, record }) => ({ product: record.product, subject: key })),
      applied,
      notes,
      changes: changes.map(({ change, key, item, before, fields, steep: moved }) => ({
        change,
        product: item.record.product,
        subject: key,
        steep: moved,
        fields,
        ...(before === undefined && { after: item.record }),
      })),
    },
    text: lines.join('\n'),
    ...(refused && { failed: true }),
  };

  function verdict(): string {
    if (applied) return 'Applied.';
    if (changes.length === 0) return 'Nothing to do.';
    if (refused) return `Not applied: ${steep} move a price by more than 20 % (!). Look, then add --force.`;
    const forced = steep > 0 ? ' --force, since prices move by more than 20 % (!)' : '';
    return `Not applied: add --apply to do it${forced && `, and${forced}`}.`;
  }
}

function toLines({ change, key, item, fields, steep }: CatalogChange): string[] {
  const name = item.record.title ?? item.record.name;
  const head = `${signs[change]} ${String(item.record.product)} ${key}  ${String(name)}${steep ? '  (!)' : ''}`;
  return [
    head,
    ...fields.map(({ field, before, after }) => `    ${field}: ${inWords(before)} -> ${inWords(after)}`),
  ];
}

function inWords(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
