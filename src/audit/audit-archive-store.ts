/**
 * The audit of archives: what is missing from the tables is what an archive has, and nothing else.
 * That a vend whose attempts or answers are in no archive has them is for the checks of its path.
 */
import type { AuditCheck } from './audit-store.ts';

export const archiveChecks: readonly AuditCheck[] = [
  {
    name: 'archived-vends',
    over: 'slice',
    description:
      'What is in an archive was final, is in no other archive, and has neither attempts nor answers in the database',
    differences: `
      select r.merchant_id, r.vend_id as vend, r.archives, o.status, a.attempts, s.answers
      from (
        select merchant_id, vend_id, count(*) as archives
        from archived_vends
        group by merchant_id, vend_id
      ) r
      left join vend_outcomes o
        on o.merchant_id = r.merchant_id
        and o.vend_id = r.vend_id
      left join (
        select merchant_id, vend_id, count(*) as attempts
        from attempts
        group by merchant_id, vend_id
      ) a
        on a.merchant_id = r.merchant_id
        and a.vend_id = r.vend_id
      left join (
        select merchant_id, vend_id, count(*) as answers
        from provider_answers
        group by merchant_id, vend_id
      ) s
        on s.merchant_id = r.merchant_id
        and s.vend_id = r.vend_id
      where r.archives > 1
      or o.vend_id is null
      or a.vend_id is not null
      or s.vend_id is not null`,
  },
  {
    name: 'archives',
    over: 'moment',
    description: 'No more is missing than the record of each archive says that its file has',
    differences: `
      select b.archive_id as archive, a.vends, b.vends as vends_out, a.attempts, b.attempts as attempts_out, a.answers, b.answers as answers_out
      from (
        select
          archive_id, count(*) as blocks, max(number) as last, sum(vends) as vends, sum(attempts) as attempts,
          sum(answers) as answers
        from archive_blocks
        group by archive_id
      ) b
      left join archives a on a.id = b.archive_id
      where a.id is null
      or b.last > a.blocks
      or b.vends > a.vends
      or b.attempts > a.attempts
      or b.answers > a.answers
      or (b.blocks = a.blocks and (b.vends, b.attempts, b.answers) is distinct from (a.vends, a.attempts, a.answers))`,
  },
];
