/** `oja alarm`: what a person must look at. */
import {
  acknowledgeAlarmOperation,
  listAlarmsOperation,
} from '../../notifications/alarms/operations/list-alarms.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const alarmCommands: readonly OperationCommand[] = [
  commandOf(listAlarmsOperation, {
    examples: ['alarm list', 'alarm list --all'],
  }),
  commandOf(acknowledgeAlarmOperation, {
    arguments: ['id'],
    examples: ['alarm acknowledge 12', 'alarm acknowledge 12 --note "delivered, says the support"'],
  }),
];
