/**
 * Shows how much of what each provider was sent it delivered, in the last hour and the last 24
 * hours, whole or by product and network.
 *
 * Guarantees: of all processes, and the same after a restart; each purchase counts once, with the
 * provider that had it last. It costs the same however much was sold.
 */
import { type Static, Type } from 'typebox';
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
  text,
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
  /** Percent, rounded down; null of nothing. */
  success_rate: nullableText,
});

const rowOutput = Type.Object({
  environment: environmentField,
  provider: Type.String(),
  /** Null where all of the provider is one row. */
  product: nullableText,
  network: nullableText,
  hour: endedOutput,
  day: endedOutput,
  /** How long 95 of 100 answers took at most, over the 24 hours; null where none was timed. */
  latency_p95_ms: nullable(Type.Integer()),
});

export const showSuccessOperation = defineOperation({
  name: 'provider.success',
  kind: 'question',
  summary: 'show how much each provider delivered in the last hour and the last 24 hours',
  roles,
  route: 'GET /provider-success',
  document: 'operators/providers.md',
  input: inputOf({
    by: oneOf(['provider', 'route'], { default: 'provider' }),
    provider: Type.Optional(text('the name of a provider; without, all of them')),
    ...pageFields,
  }),
  output: pageOf(rowOutput, {
    /** Both reach from here to `up_to`: they begin with five whole minutes. */
    hour_from: timeOutput,
    day_from: timeOutput,
    /** What became final before is counted. */
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
  const { environment, provider, product, network, latency_p95: p95 } = row;
  return {
    environment,
    provider,
    product,
    network,
    hour: endedAnswer(row.hour_successes, row.hour_failures),
    day: endedAnswer(row.day_successes, row.day_failures),
    latency_p95_ms: p95 === null ? null : Number(p95),
  };
}

function endedAnswer(successes: bigint, failures: bigint): Static<typeof endedOutput> {
  return {
    successes: Number(successes),
    failures: Number(failures),
    success_rate: shareOf(successes, successes + failures),
  };
}
