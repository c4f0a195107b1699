/**
 * `oja alarm`: alarms that need attention. An alarm carries data only: the commands that a person
 * goes on with are printed here.
 */
import type { AlarmKind } from '../../notifications/alarms/alarm-kinds.ts';
import {
  acknowledgeAlarmOperation,
  listAlarmsOperation,
} from '../../notifications/alarms/operations/list-alarms.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { answerText } from '../print-answer.ts';

type ListedAlarm = { readonly kind: string; readonly purchase_id: string | null };

const settle = (purchase: string): string =>
  `./oja purchase settle ${purchase} --success --evidence "…" (or --failed)`;
const show = (purchase: string): string => `./oja purchase show ${purchase}`;

const ofPurchase: { readonly [Kind in AlarmKind]?: (purchase: string) => string } = {
  overdue: settle,
  set_aside: settle,
};

const ofKind: { readonly [Kind in AlarmKind]?: string } = {
  delivery: './oja delivery list',
  webhook: './oja webhook list --troubled',
  provider_unwell: './oja provider list',
  deposit_suspense: './oja deposit list',
  low_float: './oja float list',
  float_unknown: './oja float list',
  float_differs: './oja float list',
  restore_fence: './oja restore status',
  restore_opened: './oja finding list --verdict open',
  backup_old: './oja doctor',
};

function nextCommand({ kind, purchase_id: purchase }: ListedAlarm): string | null {
  const known = kind as AlarmKind;
  return purchase === null ? (ofKind[known] ?? null) : (ofPurchase[known] ?? show)(purchase);
}

export const alarmCommands: readonly OperationCommand[] = [
  commandOf(listAlarmsOperation, {
    examples: ['alarm list', 'alarm list --all'],
    text: (answer) => {
      const commands = answer.data.flatMap((alarm) => {
        const command = nextCommand(alarm);
        return command === null ? [] : [`${alarm.id}: ${command}`];
      });
      const next = commands.length === 0 ? [] : [`What to do next:\n${commands.join('\n')}`];
      return [answerText(listAlarmsOperation.output, answer), ...next].join('\n\n');
    },
  }),
  commandOf(acknowledgeAlarmOperation, {
    arguments: ['id'],
    examples: ['alarm acknowledge 12', 'alarm acknowledge 12 --note "delivered, says the support"'],
  }),
];
