/** `oja person`: all that is held on one person, and its end. */
import type { Static } from 'typebox';
import { erasePersonOperation } from '../../retention/operations/erase-person.ts';
import { exportPersonOperation } from '../../retention/operations/export-person.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

type Erased = Static<typeof erasePersonOperation.output>;
type Page = Static<typeof exportPersonOperation.output>;

export const personCommands: readonly OperationCommand[] = [
  commandOf(exportPersonOperation, {
    arguments: ['person'],
    examples: ['person export 08031234567', 'person export ada@example.com'],
    whole: { options: [], hides: ['cursor'], print: printArray },
  }),
  commandOf(erasePersonOperation, {
    arguments: ['person'],
    examples: ['person erase 08031234567 --yes'],
    text: erasedText,
  }),
];

/** One JSON array, row by row. */
async function* printArray(pages: AsyncIterable<Page>): AsyncIterable<string> {
  let between = '[\n  ';
  for await (const { data } of pages) {
    for (const row of data) {
      yield `${between}${JSON.stringify(row)}`;
      between = ',\n  ';
    }
  }
  yield between.startsWith('[') ? '[]\n' : '\n]\n';
}

function erasedText({
  purchases,
  contacts,
  deliveries,
  identities,
  found_orders: found,
  kept,
}: Erased): string {
  const lines = [
    `Purchases without the person: ${purchases}, and ${contacts} without the contact.`,
    `Destinations of orders forgotten: ${deliveries}. Identities deleted: ${identities}.`,
    ...(found > 0 ? [`Found orders without the number: ${found}.`] : []),
    ...kept.map(
      ({ kind, merchant, why }) => `Kept: ${kind}${merchant === '' ? '' : ` of ${merchant}`}: ${why}.`,
    ),
  ];
  return lines.join('\n');
}
