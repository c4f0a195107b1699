/** `oja backup record`: a backup that the operator's own tool took. */
import { recordBackupOperation } from '../../operate/backup/operations/record-backup.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const backupCommands: readonly OperationCommand[] = [
  commandOf(recordBackupOperation, {
    arguments: ['label'],
    examples: ['backup record 20261122-013000F --target repo1'],
  }),
];
