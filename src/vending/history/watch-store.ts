/** The SQL behind the gauges: bounded by what is pending, never by history. */
import type { Sql } from '../../db/database.ts';

export async function countPendingByAge(sql: Sql): Promise<{ age: string; count: number }[]> {
  return await sql.query<{ age: string; count: number }>(`
    select b.age, count(p.vend_id)::integer as count
    from (
      values
        ('under_30s', interval '0', interval '30 seconds'),
        ('30s_to_5m', interval '30 seconds', interval '5 minutes'),
        ('5m_to_1h', interval '5 minutes', interval '1 hour'),
        ('1h_to_24h', interval '1 hour', interval '24 hours'),
        ('over_24h', interval '24 hours', null)
    ) as b(age, low, high)
    left join pending_vends p
      on p.created_at <= now() - b.low
      and (b.high is null or p.created_at > now() - b.high)
    group by b.age`);
}

export async function countOpenAlarms(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    'select count(*)::integer as count from alarms where acknowledged_at is null',
  );
  return rows[0]?.count ?? 0;
}
