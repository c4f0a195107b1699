/**
 * Checks of the audit log: the chain of its entries holds, each entry is in it, and its end is not
 * cut off. src/oversight/log/audit-chain-store.ts describes the chain.
 */
import { brokenLinks, unlinkedEntries } from '../oversight/log/audit-chain-store.ts';
import type { AuditCheck } from './audit-store.ts';

export const chainChecks: readonly AuditCheck[] = [
  {
    name: 'audit-log-chain',
    description: 'Each entry of the audit log matches its link in the chain',
    over: 'audit links',
    differences: brokenLinks,
  },
  {
    name: 'audit-log-entries',
    description: 'Each entry of the audit log is in its chain',
    over: 'audit entries',
    differences: unlinkedEntries,
  },
  {
    name: 'audit-log-end',
    description: 'The end of the audit log at the last clean audit is still in the log',
    over: 'moment',
    at: 'coordinator',
    differences: `
      select
        (r.audit_log ->> 'entryId')::bigint as entry_id,
        r.audit_log ->> 'hash' as hash,
        encode(c.hash, 'hex') as hash_now
      from audit_runs r
      left join lateral (
        select hash
        from audit_log_chain
        where position = (r.audit_log ->> 'position')::bigint
        offset 0
      ) c on true
      where r.audit_log is not null
      and r.audit_log ->> 'hash' is distinct from encode(c.hash, 'hex')`,
  },
];
