/** `oja deposit`: what came in from banks, and whose it is. */
import { assignDepositOperation } from '../../funding/operations/assign-deposit.ts';
import {
  listDepositsOperation,
  showDepositOperation,
  sumDepositsOperation,
} from '../../funding/operations/list-deposits.ts';
import { listOwnDepositsOperation } from '../../funding/operations/list-own-deposits.ts';
import { tryDepositOperation } from '../../funding/operations/try-deposit.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readSecret } from '../read-file.ts';

export const depositCommands: readonly OperationCommand[] = [
  commandOf(listDepositsOperation, {
    examples: ['deposit list --suspense', 'deposit list --day 2026-11-21 --provider monnify'],
  }),
  commandOf(sumDepositsOperation, {
    examples: ['deposit total --day 2026-11-21 --provider monnify'],
  }),
  commandOf(showDepositOperation, {
    arguments: ['deposit'],
    examples: ['deposit show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
  }),
  commandOf(listOwnDepositsOperation, {
    arguments: ['merchant'],
    examples: ['deposit credited SHOP', 'deposit credited SHOP --day 2026-11-21'],
  }),
  commandOf(assignDepositOperation, {
    arguments: ['deposit', 'merchant'],
    examples: ['deposit assign 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 SHOP --yes'],
  }),
  commandOf(tryDepositOperation, {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: ['deposit try SHOP oja_test_… --secret-file secret.txt --amount 5000 --reference deposit-1'],
  }),
];
