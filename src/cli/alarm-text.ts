/**
 * Prints the list of alarms, with the command that continues with each. An alarm carries data only:
 * the commands for it are here.
 */
import type { Static } from 'typebox';
import type { AlarmKind } from '../notifications/alarms/alarm-kinds.ts';
import { listAlarmsOperation } from '../notifications/alarms/operations/list-alarms.ts';
import { answerText } from './print-answer.ts';

type Alarms = Static<typeof listAlarmsOperation.output>;

const settle = (purchase: string): string =>
  `./oja purchase settle ${purchase} --success --evidence "…" (or --failed)`;
const show = (purchase: string): string => `./oja purchase show ${purchase}`;

const ofPurchase: { readonly [Kind in AlarmKind]?: (purchase: string) => string } = {
  overdue: settle,
  set_aside: settle,
  sold_below_cost: (purchase) => `${show(purchase)} (to stop such sales: ./oja guard set)`,
};

const ofKind: { readonly [Kind in AlarmKind]?: string } = {
  delivery: './oja delivery list',
  webhook: './oja webhook list --troubled',
  provider_unwell: './oja provider list',
  deposit_suspense: './oja deposit list',
  low_float: './oja float list',
  float_unknown: './oja float list',
  float_differs: './oja float list',
  restore_lock: './oja restore status',
  restore_opened: './oja finding list --verdict open',
  backup_old: './oja doctor',
};

/** The table of the alarms, followed by the next command of each that has one. */
export function alarmText(answer: Alarms): string {
  const commands = answer.data.flatMap((alarm) => {
    const command = nextCommand(alarm);
    return command === undefined ? [] : [`${alarm.id}: ${command}`];
  });
  const next = commands.length === 0 ? [] : [`What to do next:\n${commands.join('\n')}`];
  return [answerText(listAlarmsOperation.output, answer), ...next].join('\n\n');
}

function nextCommand({ kind, purchase_id: purchase }: Alarms['data'][number]): string | undefined {
  const known = kind as AlarmKind;
  return purchase === null ? ofKind[known] : (ofPurchase[known] ?? show)(purchase);
}
