/** `oja merchant mtn-line`: the vending lines at MTN whose balance a merchant may look up. */
import {
  addMtnLineOperation,
  listMtnLinesOperation,
  removeMtnLineOperation,
} from '../../wallet/operations/set-mtn-line.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const mtnLineCommands: readonly OperationCommand[] = [
  commandOf(addMtnLineOperation, {
    command: 'merchant mtn-line add',
    arguments: ['merchant', 'phone', 'client_name'],
    examples: ['merchant mtn-line add SHOP 08031234567 "Mama Put Stores"'],
  }),
  commandOf(removeMtnLineOperation, {
    command: 'merchant mtn-line remove',
    arguments: ['merchant', 'phone'],
    examples: ['merchant mtn-line remove SHOP 08031234567'],
  }),
  commandOf(listMtnLinesOperation, {
    command: 'merchant mtn-line list',
    arguments: ['merchant'],
    examples: ['merchant mtn-line list SHOP'],
  }),
];
