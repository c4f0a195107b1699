/** `oja restore …`: the fence of a restored database. */
import type { Static } from 'typebox';
import { openFenceOperation } from '../../recovery/operations/open-fence.ts';
import { raiseFenceOperation } from '../../recovery/operations/raise-fence.ts';
import { showFenceOperation } from '../../recovery/operations/show-fence.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const restoreCommands: readonly OperationCommand[] = [
  commandOf(showFenceOperation, { examples: ['restore status'], text: stateText }),
  commandOf(raiseFenceOperation, {
    examples: ['restore fence --reason "pgBackRest restore to 10:30" --from 2026-11-22T10:30:00+01:00 --yes'],
    text: ({ lost_from: from }) =>
      `Fenced: nothing is sold with live credentials. What was stored after ${timeText(from)} may be missing.`,
  }),
  commandOf(openFenceOperation, {
    examples: [
      'restore open',
      'restore open --despite-differences --reason "INV-1042 is settled with the merchant" --yes',
    ],
    text: ({ missing, open }) =>
      missing.length === 0 && open === 0
        ? 'Open: purchases are sold again.'
        : `Open: purchases are sold again. Lists missing: ${missing.join(', ') || 'none'}; open findings: ${open}.`,
  }),
];

type State = Static<typeof showFenceOperation.output>;

function stateText({ fenced, reason, lost_from: from, providers, open, next }: State): string {
  if (!fenced) return 'Not fenced: purchases are sold.';
  return [
    `Fenced: ${reason}. What was stored after ${timeText(from ?? '')} may be missing.`,
    ...providers.map(providerText),
    `Open findings: ${open}`,
    `Next: ${next}`,
  ].join('\n');
}

function providerText({ provider, listed_from: from, gaps }: State['providers'][number]): string {
  if (from === null) return `${provider}: its list is missing`;
  const times = gaps.map(({ from: start, until }) => `${timeText(start)} to ${timeText(until)}`);
  return `${provider}: ${times.length === 0 ? 'its lists are read' : `no list has ${times.join(', ')}`}`;
}
