/** The audit of what moved at providers without a purchase: each has its transfer and its entry. */
import type { AuditCheck } from './audit-store.ts';

export const floatChecks: readonly AuditCheck[] = [
  {
    name: 'float-movements',
    over: 'moment',
    description:
      "A top-up moved its amount onto its provider's float, from capital or a bank; a charge moved it off, to provider charges; the operator's act is in the audit log",
    differences: `
      select m.id as movement, m.provider, m.environment, m.kind, m.amount, t.amount as moved, t.debit, t.credit
      from float_movements m
      left join accounts o on o.id = m.other_account_id
      left join lateral (
        select t.amount, d.code as debit, c.code as credit
        from transfers t
        join accounts d on d.id = t.debit_account_id
        join accounts c on c.id = t.credit_account_id
        where t.merchant_id = 0
        and t.subject_id = m.id
        and t.code = 'float_' || m.kind
        -- Never joined as a whole.
        offset 0
      ) t on true
      left join lateral (
        select true as is_there
        from audit_log l
        where l.subject = 'float:' || m.provider
        and l.after ->> 'movement' = m.id::text
        limit 1
        offset 0
      ) l on true
      where (
        t.amount = m.amount
        and l.is_there
        and case m.kind
          when 'top_up' then
            t.debit = 'float:' || m.provider || ':' || m.environment || ':NGN'
            and t.credit = o.code
            and o.kind in ('capital', 'bank')
          else
            t.credit = 'float:' || m.provider || ':' || m.environment || ':NGN'
            and t.debit = o.code
            and o.kind = 'provider-charges'
        end
      ) is not true`,
  },
];
