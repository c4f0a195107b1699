/** A provider as operations return it. */
import { type Static, Type } from 'typebox';
import type { Measure } from '../../catalog/measures/measure.ts';
import { choosingStrategies } from '../../catalog/measures/rank-providers.ts';
import { addTruth, truthGrade, truthGrades } from '../../catalog/measures/truth-grade.ts';
import type { PauseRow } from '../../catalog/routes/pause-store.ts';
import type { Route } from '../../catalog/routes/route-store.ts';
import { accountOutput } from '../../core/account-names.ts';
import { nullable } from '../../core/nullable.ts';
import { environmentField, oneOf, timeOutput } from '../../core/operation-fields.ts';
import type { Trouble } from '../../notifications/alarms/alarm-store.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import { type CallCount, noCalls } from './call-counts.ts';
import { WELL_RATE } from './check-provider.ts';
import type { Waiting } from './health-store.ts';
import {
  type LiveState,
  type ProviderState,
  type ProviderSummary,
  successRate,
  summarize,
} from './provider-state.ts';

const countsOutput = Type.Object({
  /** In percent with one decimal: the successes among the calls that count. Null if none counts. */
  success_percent: nullable(Type.Number()),
  success: Type.Integer(),
  failed: Type.Integer(),
  refused: Type.Integer(),
  accepted: Type.Integer(),
  unknown: Type.Integer(),
  unreachable: Type.Integer(),
});

const limiterOutput = Type.Object({
  calls: Type.Integer(),
  calls_max: Type.Integer(),
  waiting: Type.Integer(),
  per_second: Type.Number(),
  per_second_max: Type.Integer(),
});

const breakerOutput = oneOf(['closed', 'half_open', 'open']);
const pastOutput = nullable(Type.Object({ what: Type.String(), at: timeOutput }));

const pauseOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  reason: Type.String(),
  by: Type.String(),
  since: timeOutput,
});

const truthFields = {
  /** A to E. Null while too little is known. */
  grade: nullable(oneOf(truthGrades)),
  answers: Type.Integer(),
  contradicted: Type.Integer(),
  refusals: Type.Integer(),
  delivered_refusals: Type.Integer(),
  /** Days on which the balance of the account differed from the books. */
  differing_days: Type.Integer(),
  /** Orders without a final answer for more than 10 minutes. */
  long_unknown: Type.Integer(),
  /** In percent with one decimal. */
  success_percent: nullable(Type.Number()),
  /** Its cost in percent of the face value, if it reported the cost. */
  cost_percent: nullable(Type.Number()),
};

/** For one product and network. */
const measureOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  ...truthFields,
  /** The mean time to delivery. */
  final_seconds: nullable(Type.Number()),
});

const routeOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  /** `*`: every kind without a specific route. */
  kind: Type.String(),
  /** 1: tried first. */
  position: Type.Integer(),
  share: nullable(Type.Integer()),
  strategy: oneOf(['order', ...choosingStrategies]),
});

export const providerOutput = Type.Object({
  provider: accountOutput,
  /** The connector. Several accounts can have the same. */
  connector: Type.String(),
  environment: environmentField,
  /** The live processes that can call it. 0: no process has its settings. */
  processes: Type.Integer(),
  health: oneOf(['well', 'degraded', 'unwell', 'unknown', 'not_in_use']),
  trouble: nullable(Type.Object({ what: Type.String(), since: timeOutput })),
  paused: Type.Array(pauseOutput),
  five_minutes: countsOutput,
  hour: countsOutput,
  limiter: limiterOutput,
  breaker: Type.Object({ state: breakerOutput, held_back_in: Type.Integer(), for_s: Type.Integer() }),
  last_call: pastOutput,
  last_answer: pastOutput,
  float: nullable(Type.Object({ amount: Type.String(), currency: Type.String(), at: timeOutput })),
  routes: Type.Array(routeOutput),
  /** Its results of 30 days, in total and by product and network. */
  thirty_days: Type.Object({ ...truthFields, by_network: Type.Array(measureOutput) }),
  /** 1,000 means that many or more. */
  pending: Type.Object({ to_send: Type.Integer(), to_ask: Type.Integer() }),
  /** The versions of the stored credentials that processes use. 0: those of the environment. */
  credentials_in_use: Type.Array(Type.Integer()),
});

export const processOutput = Type.Object({
  gateway: Type.String(),
  role: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  five_minutes: countsOutput,
  limiter: limiterOutput,
  breaker: breakerOutput,
  credentials: Type.Integer(),
});

export type ProviderAnswer = Static<typeof providerOutput>;

/** The facts about all providers, from which each answer is made. */
export type ProviderKnowledge = {
  readonly now: Date;
  readonly states: readonly LiveState[];
  readonly troubles: readonly Trouble[];
  readonly pauses: readonly PauseRow[];
  readonly routes: readonly Route[];
  readonly waiting: readonly Waiting[];
  readonly measures: readonly Measure[];
};

const noSummary: ProviderSummary = {
  within_1m: noCalls(),
  within_5m: noCalls(),
  within_60m: noCalls(),
  last_call: null,
  last_answer: null,
  float: null,
  float_failing_ms: null,
  unanswered: { calls: 0, for_ms: 0 },
  limiter: { calls: 0, calls_max: 0, waiting: 0, per_second: 0, per_second_max: 0 },
  breaker: 'closed',
  broken_ms: 0,
  processes: 0,
  broken_in: 0,
  credentials_versions: [],
};

export function providerAnswer(
  { name, connector, environment }: Pick<ProviderDefinition, 'name' | 'connector' | 'environment'>,
  known: ProviderKnowledge,
) {
  const isOf = ({ provider }: { readonly provider: string }): boolean => provider === name;
  const summary = summarize(known.states.filter(isOf)) ?? noSummary;
  const trouble = known.troubles.find(isOf);
  const { to_send = 0, to_ask = 0 } = known.waiting.find(isOf) ?? {};
  const at = (ageMs: number): Date => new Date(known.now.getTime() - ageMs);
  const past = (one: ProviderState['last_call']) => one && { what: one.result, at: at(one.age_ms) };
  return {
    provider: name,
    connector,
    environment,
    processes: summary.processes,
    health: healthOf(summary, trouble !== undefined),
    trouble: trouble && { what: trouble.message, since: trouble.since },
    paused: known.pauses.filter(isOf).map((pause) => ({ ...pause, by: pause.paused_by, since: pause.at })),
    five_minutes: countsAnswer(summary.within_5m),
    hour: countsAnswer(summary.within_60m),
    limiter: summary.limiter,
    breaker: {
      state: summary.breaker,
      held_back_in: summary.broken_in,
      for_s: Math.floor(summary.broken_ms / 1_000),
    },
    last_call: past(summary.last_call),
    last_answer: past(summary.last_answer),
    float: summary.float && { ...summary.float, at: at(summary.float.age_ms) },
    routes: known.routes.filter(isOf),
    thirty_days: measuresAnswer(known.measures.filter(isOf)),
    pending: { to_send, to_ask },
    credentials_in_use: summary.credentials_versions,
  };
}

export function processAnswer(state: LiveState) {
  return {
    ...state,
    gateway: state.gateway_id,
    five_minutes: countsAnswer(state.within_5m),
    credentials: state.credentials_version,
  };
}

function measuresAnswer(measures: readonly Measure[]): ProviderAnswer['thirty_days'] {
  return {
    ...truthAnswer(measures),
    by_network: measures.map((measure) => ({
      product: measure.product,
      network: measure.network,
      ...truthAnswer([measure]),
      final_seconds: measure.final_ms === null ? null : Math.round(measure.final_ms / 100) / 10,
    })),
  };
}

function truthAnswer(measures: readonly Measure[]) {
  const counts = addTruth(measures);
  const delivered = measures.reduce((sum, one) => sum + one.delivered, 0);
  const faceValue = measures.reduce((sum, one) => sum + one.face_value, 0n);
  const cost = measures.reduce((sum, one) => sum + one.cost, 0n);
  return {
    grade: truthGrade(counts) ?? null,
    ...counts,
    success_percent: counts.answers === 0 ? null : Math.round((1_000 * delivered) / counts.answers) / 10,
    cost_percent: faceValue === 0n ? null : Number((10_000n * cost) / faceValue) / 100,
  };
}

function healthOf(summary: ProviderSummary, isTroubled: boolean): ProviderAnswer['health'] {
  if (summary.processes === 0) return 'not_in_use';
  if (isTroubled) return 'unwell';
  if (isDegraded(summary)) return 'degraded';
  const says = summary.last_answer !== null || summary.float !== null;
  return says ? 'well' : 'unknown';
}

/** In the latest period with calls, the share of successes is below that of a healthy provider. */
function isDegraded({ within_5m, within_60m }: ProviderSummary): boolean {
  const rate = successRate(within_5m) ?? successRate(within_60m);
  return rate !== undefined && rate < WELL_RATE;
}

function countsAnswer(count: CallCount): Static<typeof countsOutput> {
  const rate = successRate(count);
  return { success_percent: rate === undefined ? null : Math.round(1_000 * rate) / 10, ...count };
}
