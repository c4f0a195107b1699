/** `oja merchant mtn-line`: the vending lines at MTN whose balance a merchant may look up. */
import {
  addMtnLineOperation,
  listMtnLinesOperation,
  removeMtnLineOperation,
} from '../../wallet/operations/set-mtn-line.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const mtnLineCommands: readonly OperationCommand[] = [
  commandOf(addMtnLineOperation, {
    command: 'merchant mtn-line add',
    arguments: ['merchant', 'phone', 'client_name'],
    flags: { environment: environmentFlag },
    examples: ['merchant mtn-line add SHOP 08031234567 "Mama Put Stores"'],
    text: ({ merchant, environment, phone }) => `${merchant} (${environment}) now has the line ${phone}.`,
  }),
  commandOf(removeMtnLineOperation, {
    command: 'merchant mtn-line remove',
    arguments: ['merchant', 'phone'],
    flags: { environment: environmentFlag },
    examples: ['merchant mtn-line remove SHOP 08031234567'],
    text: ({ merchant, environment, phone }) =>
      `${merchant} (${environment}) no longer has the line ${phone}.`,
  }),
  commandOf(listMtnLinesOperation, {
    command: 'merchant mtn-line list',
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: ['merchant mtn-line list SHOP'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'PHONE', of: (line) => line.phone },
          { title: 'CLIENT NAME', of: (line) => line.client_name },
          { title: 'BALANCE', of: (line) => line.balance ?? '-', right: true },
          { title: 'TOLD', of: (line) => optional(line.balance_at, timeText) },
        ],
        'No lines.',
      ),
  }),
];
