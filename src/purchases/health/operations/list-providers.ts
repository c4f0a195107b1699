/** Lists the providers with their state over all live processes. */

import { Type } from 'typebox';
import { listMeasures } from '../../../catalog/measures/measure-store.ts';
import { listPauses } from '../../../catalog/routes/pause-store.ts';
import { listRoutes } from '../../../catalog/routes/route-store.ts';
import { accountField } from '../../../core/account-names.ts';
import type { Clock } from '../../../core/clock.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, pageFields, pageOf, timeOutput } from '../../../core/operation-fields.ts';
import type { Sql } from '../../../db/database.ts';
import { listTroubles } from '../../../notifications/alarms/alarm-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { listAccountRows } from '../../../providers/provider-account-store.ts';
import { type CredentialRow, findCredentials } from '../../../providers/provider-credential-store.ts';
import type { ProviderDefinition } from '../../../providers/provider-definition.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { DEAD_AFTER_MS } from '../../engine/gateway-store.ts';
import { countWaiting, readStates } from '../health-store.ts';
import {
  type ProviderKnowledge,
  processAnswer,
  processOutput,
  providerAnswer,
  providerOutput,
} from '../provider-answer.ts';

type Needs = Asking & {
  /** Every provider, configured or not. */
  readonly providers: readonly ProviderDefinition[];
  readonly clock: Clock;
};

const PENDING_MAX = 1_000;

async function readKnowledge(sql: Sql, clock: Clock, names: readonly string[]): Promise<ProviderKnowledge> {
  const [states, troubles, pauses, routes, waiting, measures] = await Promise.all([
    readStates(sql, DEAD_AFTER_MS),
    listTroubles(sql, ['provider_unwell']),
    listPauses(sql),
    listRoutes(sql),
    countWaiting(sql, names, PENDING_MAX),
    listMeasures(sql, names),
  ]);
  return { now: clock.now(), states, troubles, pauses, routes, waiting, measures };
}

export const listProvidersOperation = defineOperation({
  name: 'provider.list',
  kind: 'question',
  summary:
    'list the providers with their state: success rate, truth grade, calls, breaker, float, pauses, routes',
  roles,
  route: 'GET /providers',
  document: 'operators/providers.md',
  input: inputOf(pageFields),
  output: pageOf(providerOutput),
  run: async ({ sql, providers, clock }: Needs, { limit = 50, cursor = '' }) => {
    const names = providers
      .filter(({ name, isRemoved }) => !isRemoved && name > cursor)
      .map(({ name }) => name)
      .sort();
    const page = names.slice(0, limit);
    const known = await readKnowledge(sql, clock, page);
    return {
      data: page.map((name) => providerAnswer(requireProvider(providers, name), known)),
      cursor: names.length > limit ? (page.at(-1) ?? null) : null,
    };
  },
});

const credentialsOutput = nullable(
  Type.Object({
    version: Type.Integer(),
    set_by: Type.String(),
    set_at: timeOutput,
    /** For each stored setting, by its name. Empty: the settings of the environment are used. */
    fingerprints: Type.Record(Type.String(), Type.String()),
  }),
);

export const showProviderOperation = defineOperation({
  name: 'provider.show',
  kind: 'question',
  summary: 'show the state of a provider, in each process too, and which of its settings are stored',
  roles,
  route: 'GET /providers/{provider}',
  document: 'operators/providers.md',
  input: inputOf({ provider: accountField() }),
  output: Type.Object({
    ...providerOutput.properties,
    /** The operator has removed it. */
    removed: Type.Boolean(),
    /** Its previous names. They still lead to it. */
    former_names: Type.Array(Type.String()),
    in_processes: Type.Array(processOutput),
    /** Settings that can be stored, and whether each is a secret. */
    settings: Type.Array(Type.Object({ name: Type.String(), secret: Type.Boolean() })),
    credentials: credentialsOutput,
    credentials_before: credentialsOutput,
  }),
  run: async ({ sql, providers, clock }: Needs, { provider }) => {
    const account = (await listAccountRows(sql)).find((row) => row.provider === provider);
    const definition = requireProvider(providers, provider);
    const known = await readKnowledge(sql, clock, [provider]);
    const [present, previous] = await findCredentials(sql, provider);
    return {
      ...providerAnswer(definition, known),
      removed: definition.isRemoved ?? false,
      former_names: account === undefined ? [] : account.names.filter((name) => name !== account.name),
      in_processes: known.states.filter((state) => state.provider === provider).map(processAnswer),
      settings: Object.entries(definition.settings).map(([name, kind]) => ({
        name,
        secret: kind === 'secret',
      })),
      credentials: credentialsAnswer(present),
      credentials_before: credentialsAnswer(previous),
    };
  },
});

function credentialsAnswer(row: CredentialRow | undefined) {
  return row && { ...row, set_at: row.at };
}
