/** `oja restore …`: the fence of a restored database. */
import { openFenceOperation } from '../../operate/restore-lock/operations/open-fence.ts';
import { raiseFenceOperation } from '../../operate/restore-lock/operations/raise-fence.ts';
import { showFenceOperation } from '../../operate/restore-lock/operations/show-fence.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const restoreCommands: readonly OperationCommand[] = [
  commandOf(showFenceOperation, { examples: ['restore status'] }),
  commandOf(raiseFenceOperation, {
    examples: ['restore fence --reason "pgBackRest restore to 10:30" --from 2026-11-22T10:30:00+01:00 --yes'],
  }),
  commandOf(openFenceOperation, {
    examples: [
      'restore open',
      'restore open --despite-differences --reason "INV-1042 is settled with the merchant" --yes',
    ],
  }),
];
