/**
 * The SQL of the health of providers: the observations of each live process. A few rows, whatever
 * the history.
 */
import type { Sql } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';
import type { LiveState, ProviderState } from './provider-state.ts';

/** How long the last report of a silent process is used. */
const STALE_MS = 30_000;

/**
 * Replaces the previous report of the process. Stores nothing for a process that was declared dead.
 */
export async function writeStates(
  sql: Sql,
  gatewayId: string,
  states: ReadonlyMap<string, ProviderState>,
): Promise<void> {
  await sql.query(
    {
      name: 'write_provider_states',
      text: `
        with gone as (
          delete from provider_states
          where gateway_id = $1
          and provider <> all($2::text[])
        )
        insert into provider_states (gateway_id, provider, at, state)
        select g.id, p.provider, now(), p.state::jsonb
        from gateways g
        cross join unnest($2::text[], $3::text[]) as p(provider, state)
        where g.id = $1
        on conflict (gateway_id, provider) do update
        set at = excluded.at, state = excluded.state`,
    },
    [gatewayId, [...states.keys()], [...states.values()].map((state) => JSON.stringify(state))],
  );
}

type StateRow = Omit<LiveState, keyof ProviderState> & { state: ProviderState; age_ms: number };

/** The reports of processes that were seen within `deadAfterMs`. */
export async function readStates(sql: Sql, deadAfterMs: number): Promise<LiveState[]> {
  const rows = await sql.query<StateRow>(
    `
    select
      s.provider,
      s.gateway_id,
      g.role,
      g.host,
      g.pid,
      s.state,
      greatest(extract(epoch from now() - s.at) * 1000, 0)::float8 as age_ms
    from provider_states s
    join gateways g on g.id = s.gateway_id
    where g.seen_at between now() - $1 * interval '1 millisecond' and now() + $1 * interval '1 millisecond'
    and s.at > now() - $2 * interval '1 millisecond'
    order by s.provider, g.started_at, g.id`,
    [deadAfterMs, STALE_MS],
  );
  return rows.map(({ state, age_ms: ageMs, ...from }) => ({ ...grownOld(state, ageMs), ...from }));
}

/** Conditions that were present when the report was written have lasted longer now. */
function grownOld(state: ProviderState, ageMs: number): ProviderState {
  const older = <Past extends { readonly age_ms: number }>(past: Past | null): Past | null =>
    past === null ? null : { ...past, age_ms: past.age_ms + ageMs };
  return {
    ...state,
    last_call: older(state.last_call),
    last_answer: older(state.last_answer),
    unanswered: {
      ...state.unanswered,
      for_ms: state.unanswered.calls === 0 ? 0 : state.unanswered.for_ms + ageMs,
    },
    float: older(state.float),
    broken_ms: state.breaker === 'closed' ? 0 : state.broken_ms + ageMs,
    float_failing_ms: state.float_failing_ms === 0 ? 0 : state.float_failing_ms + ageMs,
  };
}

export type Waiting = { readonly provider: string; readonly to_send: number; readonly to_ask: number };

/** The number of waiting purchases by provider; `limit` means that many or more. */
export async function countWaiting(
  sql: Sql,
  providers: readonly string[],
  limit: number,
): Promise<Waiting[]> {
  const found = await inEachCell(
    sql,
    async (cell) =>
      await cell.query<Waiting>('select provider, to_send, to_ask from count_waiting_purchases($1, $2)', [
        [...providers],
        limit,
      ]),
  );
  const [first = [], ...others] = found;
  return first.map((waiting) => {
    const same = [waiting, ...others.flat().filter(({ provider }) => provider === waiting.provider)];
    const sum = (of: (one: Waiting) => number): number =>
      Math.min(
        same.reduce((all, one) => all + of(one), 0),
        limit,
      );
    return { ...waiting, to_send: sum(({ to_send }) => to_send), to_ask: sum(({ to_ask }) => to_ask) };
  });
}
