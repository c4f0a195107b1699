/** `oja alarm`: what a person must look at. */
import { type Command, InvalidArgumentError } from 'commander';
import { listAlarms } from '../../alarms/alarm-store.ts';
import { acknowledgeAlarm } from '../../alarms/operations/acknowledge-alarm.ts';
import { addCommand, type Run } from '../add-command.ts';
import { formatTime, optional } from '../format.ts';
import { table } from '../output.ts';

const ALARMS_LISTED_MAX = 100;

export function addAlarm(program: Command, run: Run): void {
  const group = program.command('alarm').description('alarms: what a person must look at');
  addCommand<[], { readonly all?: boolean }>(group, run, {
    name: 'list',
    description: `list the newest ${ALARMS_LISTED_MAX} alarms that nobody has acknowledged`,
    examples: ['alarm list', 'alarm list --all'],
    configure: (command) => command.option('--all', 'also those that are acknowledged'),
    work: async ({ database }, _args, { all = false }) => {
      const alarms = await listAlarms(database, { acknowledgedToo: all, limit: ALARMS_LISTED_MAX });
      return {
        data: alarms,
        text: table(
          alarms,
          [
            { title: 'ID', of: (alarm) => String(alarm.id), right: true },
            { title: 'AT', of: (alarm) => formatTime(alarm.at) },
            { title: 'KIND', of: (alarm) => alarm.kind },
            { title: 'MERCHANT', of: (alarm) => alarm.merchant_code ?? '-' },
            { title: 'VEND', of: (alarm) => alarm.vend_id ?? '-' },
            { title: 'ACKNOWLEDGED', of: (alarm) => optional(alarm.acknowledged_at, formatTime) },
            { title: 'WHAT', of: (alarm) => alarm.message },
          ],
          all ? 'No alarms.' : 'No open alarms.',
        ),
      };
    },
  });
  addCommand<[bigint], object>(group, run, {
    name: 'acknowledge',
    description: 'note that you have looked at an alarm and dealt with it',
    examples: ['alarm acknowledge 12'],
    writes: true,
    configure: (command) => command.argument('<id>', 'the id in the list', readAlarmId),
    work: async ({ database, actor }, [id]) => {
      const { changed } = await database.transaction((tx) => acknowledgeAlarm(tx, id, actor));
      return {
        data: { id, acknowledged: true, changed },
        text: `Alarm ${id} is ${changed ? 'now' : 'already'} acknowledged.`,
      };
    },
  });
}

function readAlarmId(text: string): bigint {
  if (!/^[0-9]{1,18}$/.test(text)) throw new InvalidArgumentError('It must be the number of an alarm.');
  return BigInt(text);
}
