/** `oja float`: our money at the providers. */
import { chargeFloatOperation, topUpFloatOperation } from '../../finance/floats/operations/book-float.ts';
import { listFloatsOperation, showFloatOperation } from '../../finance/floats/operations/list-floats.ts';
import { setFloatAlarmOperation } from '../../finance/floats/operations/set-alarm.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const floatCommands: readonly OperationCommand[] = [
  commandOf(listFloatsOperation, {
    examples: ['float list', 'float list --json'],
    columns: [
      'provider',
      'expected',
      'reported.amount',
      'reported.currency',
      'under_way',
      'difference',
      'differs',
      'runway.hours',
    ],
  }),
  commandOf(showFloatOperation, {
    arguments: ['provider'],
    examples: ['float show vtpass'],
  }),
  commandOf(topUpFloatOperation, {
    arguments: ['provider', 'amount'],
    flags: { bank: '--from <bank>' },
    examples: [
      'float top-up vtpass 500000 --reference FT26326-0042 --key transfer-0042',
      'float top-up esimaccess 500 --currency USD --naira 772500 --reason "card of 22 Nov"',
    ],
  }),
  commandOf(chargeFloatOperation, {
    arguments: ['provider', 'amount'],
    examples: ['float charge vtpass 52.50 --reason "SMS alerts of November" --reference 1764000000001'],
  }),
  commandOf(setFloatAlarmOperation, {
    arguments: ['provider'],
    examples: [
      'float set-alarm vtpass --hours 12',
      'float set-alarm vtpass --hours 12 --amount 250000 --pause-below 5000',
    ],
  }),
];
