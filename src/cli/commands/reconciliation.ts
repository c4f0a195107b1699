/** `oja reconcile` and `oja reconciliation`: the books compared with providers and banks. */
import { readFile } from 'node:fs/promises';
import { dismissFindingOperation } from '../../finance/reconciliation/operations/dismiss-finding.ts';
import { enterFindingOperation } from '../../finance/reconciliation/operations/enter-finding.ts';
import { listFindingsOperation } from '../../finance/reconciliation/operations/list-findings.ts';
import {
  listReconciliationsOperation,
  showMappingOperation,
  showReconciliationOperation,
} from '../../finance/reconciliation/operations/list-reconciliations.ts';
import { runReconciliationOperation } from '../../finance/reconciliation/operations/run-reconciliation.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { csvOption } from '../print-pages.ts';
import { printReconciliation } from '../reconciliation-output.ts';

export const reconciliationCommands: readonly OperationCommand[] = [
  commandOf(runReconciliationOperation, {
    command: 'reconcile',
    arguments: ['party', 'file'],
    flags: { mapping: '--mapping <path>' },
    examples: [
      'reconcile vtpass november.csv',
      'reconcile nomba --from 2026-11-21 --to 2026-11-21',
      'reconcile vtpass november.csv --mapping ours.json --csv',
      'reconcile monnify --from 2026-11-21 --apply',
      'reconcile vtpass november.csv --from 2026-11-22 --to 2026-11-22T12:00:00+01:00 --apply',
    ],
    files: { mapping: readMappingFile },
    whole: { options: [csvOption()], hides: ['limit', 'cursor', 'statement'], print: printReconciliation },
  }),
  commandOf(listReconciliationsOperation, {
    examples: ['reconciliation list', 'reconciliation list --party vtpass'],
  }),
  commandOf(showReconciliationOperation, {
    arguments: ['reconciliation'],
    examples: [
      'reconciliation show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
      'reconciliation show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --csv',
    ],
    whole: { options: [csvOption()], hides: ['limit', 'cursor'], print: printReconciliation },
  }),
  commandOf(showMappingOperation, {
    arguments: ['party'],
    examples: ['reconciliation mapping vtpass'],
    text: (mapping) => JSON.stringify(mapping, null, 2),
  }),
  commandOf(listFindingsOperation, {
    examples: ['finding list', 'finding list --verdict open'],
  }),
  commandOf(enterFindingOperation, {
    arguments: ['provider', 'order'],
    examples: [
      'finding enter vtpass 2026112210300000000000000000000000k3',
      'finding enter vtpass 202611221030k3j9 --merchant SHOP --reference INV-1042 --product airtime --network MTN',
    ],
  }),
  commandOf(dismissFindingOperation, {
    arguments: ['provider', 'order'],
    examples: [
      'finding dismiss vtpass 2026112210300000000000000000000000k3 --reason "of our old system" --yes',
    ],
  }),
];

async function readMappingFile(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => {
    throw new CommandError('file_unreadable', `cannot read ${path}`);
  });
}
