/**
 * Shows the success rate of each provider in the last hour and the last 24 hours, as a whole or by
 * product and network.
 *
 * Guarantees: the numbers are of all processes and survive a restart. Each purchase counts once,
 * for its last provider. The cost does not depend on the volume of sales.
 */

import { type Static, Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { answerOf } from '../../../core/answer.ts';
import type { Clock } from '../../../core/clock.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  environmentField,
  inputOf,
  oneOf,
  pageFields,
  pageOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfWhole } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { type RecentRow, readRecent, SLOT_MS } from '../recent-store.ts';
import { shareOf } from '../report-answer.ts';
import { readCheckpoint } from '../roll-up-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const endedOutput = Type.Object({
  successes: Type.Integer(),
  failures: Type.Integer(),
  /** Percent, rounded down; null without purchases. */
  success_rate: nullableText,
});

const rowOutput = Type.Object({
  environment: environmentField,
  provider: accountOutput,
  /** Null if a row is the whole provider. */
  product: nullableText,
  network: nullableText,
  hour: endedOutput,
  day: endedOutput,
  /** The 95th percentile of answer times over 24 hours; null if none was measured. */
  latency_p95_ms: nullable(Type.Integer()),
});

export const showSuccessOperation = defineOperation({
  name: 'provider.success',
  kind: 'question',
  summary: 'show the success rate of each provider in the last hour and the last 24 hours',
  roles,
  route: 'GET /provider-success',
  document: 'operators/providers.md',
  input: inputOf({
    by: oneOf(['provider', 'route'], { default: 'provider' }),
    provider: Type.Optional(accountField('the name of a provider; by default, all')),
    ...pageFields,
  }),
  output: pageOf(rowOutput, {
    /** Both ranges end at `up_to` and begin at a multiple of five minutes. */
    hour_from: timeOutput,
    day_from: timeOutput,
    /** Outcomes before this time are counted. */
    up_to: timeOutput,
  }),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }, { by, provider, limit = 50, cursor }) => {
    const now = clock.now().getTime();
    const [hourFrom, dayFrom] = [beginOfSlot(now - HOUR_MS), beginOfSlot(now - DAY_MS)];
    const upTo = await readCheckpoint(sql);
    const rows = await readRecent(sql, { hourFrom, dayFrom, provider, byRoute: by === 'route' });
    return {
      ...pageOfWhole(rows.map(rowAnswer), { limit, cursor }, placeOf),
      hour_from: formatRfc3339(hourFrom),
      day_from: formatRfc3339(dayFrom),
      up_to: formatRfc3339(upTo),
    };
  },
});

function beginOfSlot(ms: number): Date {
  return new Date(Math.floor(ms / SLOT_MS) * SLOT_MS);
}

type Row = Static<typeof rowOutput>;

function placeOf({ environment, provider, product, network }: Row): string {
  return JSON.stringify([environment, provider, product, network]);
}

function rowAnswer(row: RecentRow): Row {
  return answerOf(rowOutput, {
    ...row,
    hour: endedAnswer(row.hour_successes, row.hour_failures),
    day: endedAnswer(row.day_successes, row.day_failures),
    latency_p95_ms: row.latency_p95,
  });
}

function endedAnswer(successes: bigint, failures: bigint): Static<typeof endedOutput> {
  return {
    successes: Number(successes),
    failures: Number(failures),
    success_rate: shareOf(successes, successes + failures),
  };
}
