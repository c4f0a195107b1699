/** `oja float`: our money at the providers. */
import type { Static } from 'typebox';
import type { floatOutput } from '../../floats/float-answer.ts';
import { chargeFloatOperation, topUpFloatOperation } from '../../floats/operations/book-float.ts';
import { listFloatsOperation, showFloatOperation } from '../../floats/operations/list-floats.ts';
import { setFloatAlarmOperation } from '../../floats/operations/set-alarm.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

type Float = Static<typeof floatOutput>;

export const floatCommands: readonly OperationCommand[] = [
  commandOf(listFloatsOperation, {
    examples: ['float list', 'float list --json'],
    text: ({ data }) => floatsTable(data),
  }),
  commandOf(showFloatOperation, {
    arguments: ['provider'],
    examples: ['float show vtpass'],
    text: ({ float, movements, cursor }) =>
      [
        float === null ? 'Nothing is known of this float yet.' : floatText(float),
        '',
        table(
          movements,
          [
            { title: 'MOVED AT', of: (row) => row.moved_at },
            { title: 'KIND', of: (row) => row.kind.replace('_', '-') },
            { title: 'NAIRA', of: (row) => row.amount, right: true },
            { title: 'OTHER ACCOUNT', of: (row) => row.account },
            { title: 'REFERENCE', of: (row) => row.reference ?? '-' },
            { title: 'REASON', of: (row) => row.reason },
            { title: 'BOOKED BY', of: (row) => row.booked_by },
          ],
          'No top-up and no charge is booked.',
        ),
        ...(cursor === null ? [] : [`There are more: add --cursor ${cursor}`]),
      ].join('\n'),
  }),
  commandOf(topUpFloatOperation, {
    arguments: ['provider', 'amount'],
    flags: { currency: '--currency <code>', bank: '--from <bank>', key: '--key <text>' },
    examples: [
      'float top-up vtpass 500000 --reference FT26326-0042 --key transfer-0042',
      'float top-up esimaccess 500 --currency USD --naira 772500 --reason "card of 22 Nov"',
    ],
    text: ({ provider, amount, account }) =>
      `The float at ${provider} is ${amount} NGN more, from ${account}.`,
  }),
  commandOf(chargeFloatOperation, {
    arguments: ['provider', 'amount'],
    flags: { currency: '--currency <code>', key: '--key <text>' },
    examples: ['float charge vtpass 52.50 --reason "SMS alerts of November" --reference 1764000000001'],
    text: ({ provider, amount, account }) =>
      `The float at ${provider} is ${amount} NGN less, which ${account} bears.`,
  }),
  commandOf(setFloatAlarmOperation, {
    arguments: ['provider'],
    examples: [
      'float set-alarm vtpass --hours 12',
      'float set-alarm vtpass --hours 12 --amount 250000 --pause-below 5000',
    ],
    text: ({ provider, hours, amount, drift, pause_below: below }) =>
      `The float at ${provider} is an alarm below ${hours} hours` +
      `${amount === null ? '' : ` or ${amount}`}${drift === null ? '' : `, or when it differs by more than ${drift}`}. ` +
      (below === null
        ? 'The provider is not paused by itself.'
        : `Below ${below} the provider is paused, and resumed when it has more.`),
  }),
];

function floatsTable(floats: readonly Float[]): string {
  return table(
    floats,
    [
      { title: 'PROVIDER', of: (row) => row.provider },
      {
        title: 'EXPECTED',
        of: (row) => (row.opened ? row.expected : `${row.expected} (no top-up booked)`),
        right: true,
      },
      { title: 'REPORTED', of: reportedText, right: true },
      {
        title: 'AGE',
        of: (row) => (row.reported === null ? '-' : ageText(row.reported.age_seconds)),
        right: true,
      },
      { title: 'UNDER WAY', of: (row) => row.under_way, right: true },
      { title: 'DIFFERENCE', of: (row) => `${row.difference ?? '-'}${row.differs ? ' !' : ''}`, right: true },
      { title: 'LASTS', of: runwayText, right: true },
      { title: 'ALARMS', of: (row) => row.troubles.map(({ kind }) => kind).join(', ') || '-' },
    ],
    'No provider has a float yet.',
  );
}

function floatText(float: Float): string {
  const { runway } = float;
  const by = {
    hour_of_day: `the same hours of the last days (${runway.hours_known} are known), and by what was sold of late`,
    mean: `the mean of ${runway.hours_known} hours: less than a day is known`,
    nothing: 'nothing: no hour is known in which something was spent',
  }[runway.by];
  return [
    `provider:    ${float.provider} (${float.environment})`,
    `expected:    ${float.expected} NGN by the books${float.opened ? '' : '; no top-up is booked, so it says what was spent only'}`,
    `reported:    ${reportedText(float)}${float.reported === null ? '' : `, ${ageText(float.reported.age_seconds)} ago`}`,
    ...(float.failing_seconds > 0 ? [`not told:    for ${ageText(float.failing_seconds)}`] : []),
    `under way:   ${float.under_way} NGN of purchases that may have cost already`,
    `difference:  ${float.difference ?? 'unknown'}${float.differs ? `: more than ${float.drift} and what is under way explain` : ''}`,
    `spent:       ${float.spent_24h} NGN in the last 24 hours`,
    `lasts:       ${runwayText(float)}, of what is ${runway.of}, judged by ${by}`,
    `alarm:       below ${float.alarm.hours} hours${float.alarm.amount === null ? '' : ` or ${float.alarm.amount}`}`,
    `pause:       ${float.alarm.pause_below === null ? 'never by itself' : `below ${float.alarm.pause_below}`}`,
    ...float.troubles.map(({ kind, since }) => `trouble:     ${kind} since ${since}`),
  ].join('\n');
}

function reportedText({ reported }: Float): string {
  if (reported === null) return 'not told';
  const naira = reported.currency === 'NGN' || reported.naira === null ? '' : ` (${reported.naira} NGN)`;
  return `${reported.amount} ${reported.currency}${naira}`;
}

function runwayText({ runway }: Float): string {
  if (runway.over_two_weeks) return 'over 14 days';
  return runway.hours === null ? 'unknown' : `${runway.hours} h`;
}

function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
