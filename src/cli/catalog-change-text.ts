/** Prints a proposed or applied change of the catalog. */
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
    lines.push(`${missing.length} on sale are not listed and stay unchanged (--withdraw-missing).`);
  }
  lines.push(...outcome.notes);
  lines.push(`${added} added, ${changed} changed, ${withdrawn} withdrawn.`);
  lines.push(verdict(outcome));
  return lines.join('\n');
}

function verdict({ applied, refused, steep, changes }: Outcome): string {
  if (applied) return 'Applied.';
  if (changes.length === 0) return 'No changes.';
  if (refused)
    return `Not applied: ${steep} prices change by more than 20 % (!). Check them, then add --force.`;
  const forced = steep > 0 ? ', and --force because prices change by more than 20 % (!)' : '';
  return `Not applied. Add --apply to apply it${forced}.`;
}

function toLines({
  change,
  product,
  subject,
  name,
  fields,
  steep,
  cost,
  losses,
  after,
}: Outcome['changes'][number]): string[] {
  return [
    `${signs[change]} ${product} ${subject}  ${name}${steep ? '  (!)' : ''}`,
    ...(after?.validity === undefined ? [] : [`    ${planText(after, cost)}`]),
    ...fields.map(({ field, before, after }) => `    ${field}: ${valueText(before)} -> ${valueText(after)}`),
    ...losses.map(
      ({ buyer, provider, charge, cost }) =>
        `    below cost: ${buyer ?? 'a merchant'} pays ${charge}, and it costs ${cost} at ${provider}`,
    ),
  ];
}

/** `1GB, 30 days, sme, price 260.00, cost 240.00` */
function planText(
  { value, validity, kind, price }: NonNullable<Outcome['changes'][number]['after']>,
  cost: string | null,
): string {
  return `${value}, ${validity}, ${kind}, price ${price}, cost ${cost ?? 'unknown'}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
