/** SQL of who gave whom the means to act: the operator's people, and access tokens. */
import type { Sql } from '../db/database.ts';
import type { Control } from './is-one-person.ts';

/** A few for each person and token there ever was. */
export async function listControls(sql: Sql): Promise<Control[]> {
  return await sql.query<Control>(
    `select a.principal as by, 'user:' || u.id || ' (' || u.email || ')' as over, a.at
     from audit_log a
     join users u on 'user:' || u.id = a.subject
     where a.action = any ('{user.invite,user.reset,user.set_roles,user.resume}')
     and a.principal is not null
     union all
     select created_by, 'user:' || id || ' (' || email || ')', created_at
     from users
     where merchant_id is null
     union all
     select created_by, 'token:' || id || ' (' || name || ')', created_at
     from access_tokens`,
  );
}
