/** `oja person`: all that is held on one person, and its end. */
import type { Static } from 'typebox';
import { erasePersonOperation } from '../../operate/retention/operations/erase-person.ts';
import { exportPersonOperation } from '../../operate/retention/operations/export-person.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { type Form, jsonList, printPages } from '../print-pages.ts';

type Page = Static<typeof exportPersonOperation.output>;

const heldLines: Form<Page> = {
  head: () => '',
  lines: heldText,
  end: () => 'That is all that is held.\n',
};

export const personCommands: readonly OperationCommand[] = [
  commandOf(exportPersonOperation, {
    arguments: ['person'],
    examples: ['person export 08031234567', 'person export ada@example.com'],
    whole: { options: [], hides: ['cursor'], print: printPages<Page>({ text: heldLines, json: jsonList }) },
  }),
  commandOf(erasePersonOperation, {
    arguments: ['person'],
    examples: ['person erase 08031234567 --yes'],
  }),
];

/** A line for each, and what it says below. */
function heldText({ data }: Page): string {
  return data
    .map(({ kind, merchant, environment, reference, at, says }) => {
      const place = [at, kind, merchant, environment, reference ?? ''].join('  ').trimEnd();
      return [place, ...Object.entries(says).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n');
    })
    .join('');
}
