/** `oja alarm`: what a person must look at. */
import { acknowledgeAlarmOperation, listAlarmsOperation } from '../../alarms/operations/list-alarms.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const alarmCommands: readonly OperationCommand[] = [
  commandOf(listAlarmsOperation, {
    examples: ['alarm list', 'alarm list --all'],
    text: ({ data }, { all = false }) =>
      table(
        data,
        [
          { title: 'ID', of: (alarm) => alarm.id, right: true },
          { title: 'AT', of: (alarm) => timeText(alarm.at) },
          { title: 'KIND', of: (alarm) => alarm.kind },
          { title: 'MERCHANT', of: (alarm) => alarm.merchant ?? '-' },
          { title: 'VEND', of: (alarm) => alarm.vend_id ?? '-' },
          { title: 'ENDED', of: (alarm) => optional(alarm.ended_at, timeText) },
          { title: 'ACKNOWLEDGED', of: (alarm) => optional(alarm.acknowledged_at, timeText) },
          { title: 'WHAT', of: (alarm) => alarm.message },
        ],
        all ? 'No alarms.' : 'No open alarms.',
      ),
  }),
  commandOf(acknowledgeAlarmOperation, {
    arguments: ['id'],
    examples: ['alarm acknowledge 12', 'alarm acknowledge 12 --note "delivered, says the support"'],
    text: ({ id, changed }) => `Alarm ${id} is ${changed ? 'now' : 'already'} acknowledged.`,
  }),
];
