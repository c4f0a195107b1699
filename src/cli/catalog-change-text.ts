/** How a proposed change of the catalog is shown, and what became of it. */
import type { Static } from 'typebox';
import type { catalogChangeOutput } from '../catalog/catalog-change-answer.ts';

type Outcome = Static<typeof catalogChangeOutput>;

const LINES_MAX = 500;
const signs = { added: '+', changed: '~', withdrawn: '-' } as const;

export function catalogChangeText(outcome: Outcome): string {
  const { changes, missing, added, changed, withdrawn } = outcome;
  const lines = changes.slice(0, LINES_MAX).flatMap(toLines);
  if (changes.length > LINES_MAX) lines.push(`and ${changes.length - LINES_MAX} more`);
  if (missing.length > 0) {
    lines.push(`${missing.length} on sale are not in it and stay as they are (--withdraw-missing).`);
  }
  lines.push(...outcome.notes);
  lines.push(`${added} added, ${changed} changed, ${withdrawn} withdrawn.`);
  lines.push(verdict(outcome));
  return lines.join('\n');
}

function verdict({ applied, refused, steep, changes }: Outcome): string {
  if (applied) return 'Applied.';
  if (changes.length === 0) return 'Nothing to do.';
  if (refused) return `Not applied: ${steep} move a price by more than 20 % (!). Look, then add --force.`;
  const forced = steep > 0 ? ' --force, since prices move by more than 20 % (!)' : '';
  return `Not applied: add --apply to do it${forced && `, and${forced}`}.`;
}

function toLines({ change, product, subject, name, fields, steep }: Outcome['changes'][number]): string[] {
  return [
    `${signs[change]} ${product} ${subject}  ${name}${steep ? '  (!)' : ''}`,
    ...fields.map(({ field, before, after }) => `    ${field}: ${inWords(before)} -> ${inWords(after)}`),
  ];
}

function inWords(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
