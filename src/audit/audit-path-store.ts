/**
 * The audit of the path of a purchase: each purchase is in exactly one state that a purchase can
 * have, and there is evidence of how it got there.
 */
import type { AuditCheck } from './audit-store.ts';

/** Why a purchase can fail without having been sent. */
const failedUnsent = `'insufficient_funds', 'over_purchase_cap', 'over_daily_cap', 'customer_rejected', 'amount_out_of_range', 'not_verified'`;

export const pathChecks: readonly AuditCheck[] = [
  {
    name: 'purchase-state',
    over: 'slice',
    description: 'A purchase is either pending or final, never both',
    differences: `
      select v.merchant_id, v.id as purchase, p.purchase_id is not null as pending, o.status as outcome
      from purchases v
      left join pending_purchases p
        on p.merchant_id = v.merchant_id
        and p.purchase_id = v.id
      left join purchase_outcomes o
        on o.merchant_id = v.merchant_id
        and o.purchase_id = v.id
      where (p.purchase_id is null) = (o.purchase_id is null)`,
  },
  {
    name: 'purchase-reference',
    over: 'purchase references',
    description: "No two purchases of a merchant and environment share a merchant's reference",
    differences: `
      select merchant_id, environment, reference, count(*) as purchases
      from purchases
      group by merchant_id, environment, reference
      having count(*) > 1`,
  },
  {
    name: 'attempt-reference',
    over: 'attempt references',
    description: 'No two attempts share a reference at a provider',
    differences: `
      select provider, reference, count(*) as attempts
      from attempts
      group by provider, reference
      having count(*) > 1`,
  },
  {
    name: 'attempt-numbers',
    over: 'slice',
    description:
      'The attempts of a purchase are numbered from 1 without a gap; one that failed before it could be sent has none',
    differences: `
      select a.merchant_id, a.purchase_id as purchase, a.attempts, a.first, a.last, o.reason
      from (
        select merchant_id, purchase_id, count(*) as attempts, min(number) as first, max(number) as last
        from attempts
        group by merchant_id, purchase_id
      ) a
      left join purchase_outcomes o
        on o.merchant_id = a.merchant_id
        and o.purchase_id = a.purchase_id
      where a.first <> 1
      or a.last <> a.attempts
      or o.reason in (${failedUnsent})`,
  },
  {
    name: 'pending-step',
    over: 'slice',
    description:
      "A pending purchase counts its attempts, is sent again only after proof, and is due or in somebody's hands",
    differences: `
      select p.merchant_id, p.purchase_id as purchase, p.step, p.attempts, coalesce(a.attempts, 0) as attempts_stored, p.due_at, p.owner
      from pending_purchases p
      left join (
        select merchant_id, purchase_id, count(*) as attempts
        from attempts
        group by merchant_id, purchase_id
      ) a
        on a.merchant_id = p.merchant_id
        and a.purchase_id = p.purchase_id
      where p.attempts <> coalesce(a.attempts, 0)
      or (p.step = 'query' and p.attempts = 0)
      or (p.due_at is null and p.owner is null)
      or (
        p.step = 'send'
        and p.attempts > 0
        and not exists (
          select 1
          from provider_answers said
          where said.merchant_id = p.merchant_id
          and said.purchase_id = p.purchase_id
          and said.attempt = p.attempts
          and said.kind in ('not_sent', 'failed')
        )
      )`,
  },
  {
    name: 'pending-hold',
    over: 'slice',
    description: 'A pending purchase holds exactly its charge, on its own wallet',
    differences: `
      select p.merchant_id, p.purchase_id as purchase, p.charge as held, v.charge, p.wallet_id as held_on, v.wallet_id
      from pending_purchases p
      join purchases v
        on v.merchant_id = p.merchant_id
        and v.id = p.purchase_id
      where p.charge <> v.charge
      or p.wallet_id <> v.wallet_id`,
  },
  {
    name: 'outcome-evidence',
    over: 'slice',
    description:
      'A purchase is final for the reason in its answers; one that failed before it was sent has no answers',
    differences: `
      select o.merchant_id, o.purchase_id as purchase, o.status, o.reason, o.provider, o.answer_kind as answer
      from purchase_outcomes o
      where case
        when o.status = 'success' then o.reason = 'delivered' and (
          o.answer_kind = 'success'
          -- Its provider reported success without the goods, and gave up on the order later.
          or exists (
            select
            from provider_answers said
            where said.merchant_id = o.merchant_id
            and said.purchase_id = o.purchase_id
            and said.kind = 'success'
          )
        )
        when o.reason = 'refused' then o.answer_kind = 'failed'
          -- Entered after a restore: the list of the provider has its orders as failed.
          or (o.answer_kind is null and exists (
            select
            from provider_answers said
            where said.merchant_id = o.merchant_id
            and said.purchase_id = o.purchase_id
            and said.kind = 'failed'
          ))
        when o.reason = 'not_found' then o.answer_kind = 'not_found'
        when o.reason = 'not_sent' then o.answer_kind = 'not_sent'
        when o.reason in (${failedUnsent}) then not exists (
          select
          from provider_answers said
          where said.merchant_id = o.merchant_id
          and said.purchase_id = o.purchase_id
        )
        else false
      end is not true`,
  },
  {
    name: 'balance-evidence',
    over: 'slice',
    description:
      'An outcome decided by our balance has its stored conclusion and cost, and the movements of the balance add up',
    differences: `
      select o.merchant_id, o.purchase_id as purchase, o.status, o.cost, e.verdict, e.cost as moved, e.others
      from purchase_outcomes o
      left join balance_evidence e
        on e.merchant_id = o.merchant_id
        and e.purchase_id = o.purchase_id
        and e.attempt = o.attempt
      where o.answer_code = 'our_balance'
      and case o.status
        when 'success' then e.verdict = 'moved' and e.cost = o.cost and not o.cost_estimated
        else e.verdict = 'unmoved'
      end is not true
      union all
      select e.merchant_id, e.purchase_id, null, null, e.verdict, e.cost, e.others
      from balance_evidence e
      left join purchases v on v.merchant_id = e.merchant_id and v.id = e.purchase_id
      where v.id is null
      or (e.verdict = 'moved' and (e.before_amount - e.after_amount = e.others + e.cost) is not true)`,
  },
  {
    name: 'outcome-attempt',
    over: 'slice',
    description: 'A success names a provider to which an attempt went',
    differences: `
      select o.merchant_id, o.purchase_id as purchase, o.provider
      from purchase_outcomes o
      left join (
        select distinct merchant_id, purchase_id, provider
        from attempts
      ) a
        on a.merchant_id = o.merchant_id
        and a.purchase_id = o.purchase_id
        and a.provider = o.provider
      where o.status = 'success'
      and a.purchase_id is null`,
  },
  {
    name: 'delivered-once',
    over: 'slice',
    description:
      'No purchase was delivered by two attempts or against its outcome, except those that an operator acknowledged or two people overrode',
    differences: `
      select said.merchant_id, said.purchase_id as purchase, o.status, said.deliveries
      from (
        select merchant_id, purchase_id, count(distinct attempt) as deliveries
        from provider_answers
        where kind = 'success'
        group by merchant_id, purchase_id
      ) said
      left join purchase_outcomes o
        on o.merchant_id = said.merchant_id
        and o.purchase_id = said.purchase_id
      where (said.deliveries > 1 or o.status is distinct from 'success')
      -- A success without the goods that it owes stays pending for a while: its provider is queried
      -- for them.
      and not (
        said.deliveries = 1
        and o.status is null
        and exists (
          select 1
          from purchases v
          join pending_purchases p
            on p.merchant_id = v.merchant_id
            and p.purchase_id = v.id
          where v.merchant_id = said.merchant_id
          and v.id = said.purchase_id
          and v.details ? 'goodsOwed'
        )
      )
      and not exists (
        select 1
        from provider_answers s
        where s.merchant_id = said.merchant_id
        and s.purchase_id = said.purchase_id
        and s.source = 'operator'
        and s.code = 'operator_override'
      )
      and not exists (
        select 1
        from alarms
        where alarms.merchant_id = said.merchant_id
        and alarms.purchase_id = said.purchase_id
        -- One that is pending although its provider reported success is overdue.
        and (alarms.kind in ('contradiction', 'stale') or (o.status is null and alarms.kind = 'overdue'))
        and alarms.acknowledged_at is not null
      )`,
  },
  {
    name: 'purchase-counts',
    over: 'sums',
    description: 'The counters of purchases equal the number of purchases',
    differences: `
      select
        coalesce(c.merchant_id, v.merchant_id) as merchant_id,
        coalesce(c.environment, v.environment) as environment,
        coalesce(c.network, v.network) as network,
        coalesce(c.status, v.status) as status,
        coalesce(c.count, 0) as counted,
        coalesce(v.purchases, 0) as purchases
      from counts_then c
      full join purchases_then v
        on v.merchant_id = c.merchant_id
        and v.environment = c.environment
        and v.network = c.network
        and v.status = c.status
      where coalesce(c.count, 0) <> coalesce(v.purchases, 0)`,
  },
  {
    name: 'pending-count',
    over: 'sums',
    description: 'The number of pending purchases equals the accepted purchases without an outcome',
    differences: `
      select
        coalesce(v.merchant_id, p.merchant_id) as merchant_id,
        coalesce(v.environment, p.environment) as environment,
        coalesce(v.unfinished, 0) as unfinished,
        coalesce(p.purchases, 0) as pending
      from (
        select merchant_id, environment, sum(case status when 'accepted' then purchases else -purchases end) as unfinished
        from purchases_then
        group by merchant_id, environment
      ) v
      full join pending_then p
        on p.merchant_id = v.merchant_id
        and p.environment = v.environment
      where coalesce(v.unfinished, 0) <> coalesce(p.purchases, 0)`,
  },
  {
    name: 'purchase-environment',
    over: 'slice',
    description:
      "A purchase's merchant, wallet, credential, outcome and pending row are there, of its merchant and environment",
    differences: `
      select v.merchant_id, v.environment, v.id as purchase, v.wallet_id, v.credential_id
      from purchases v
      left join merchants m on m.id = v.merchant_id
      left join wallet_owners w on w.account_id = v.wallet_id
      left join credentials c
        on c.merchant_id = v.merchant_id
        and c.id = v.credential_id
      left join pending_purchases p
        on p.merchant_id = v.merchant_id
        and p.purchase_id = v.id
      left join purchase_outcomes o
        on o.merchant_id = v.merchant_id
        and o.purchase_id = v.id
      where m.id is null
      or (w.merchant_id = v.merchant_id and w.environment = v.environment) is not true
      -- A purchase entered after a restore has an unknown credential.
      or (c.environment is distinct from v.environment
        and not (v.credential_id is null and exists (
          select
          from reconciliation_differences d
          where d.merchant_id = v.merchant_id
          and d.purchase_id = v.id
          and d.verdict = 'entered'
        )))
      or coalesce(p.environment, v.environment) <> v.environment
      or coalesce(o.environment, v.environment) <> v.environment`,
  },
  {
    name: 'orphans',
    over: 'slice',
    description: 'Every row refers to a purchase, attempt or account that exists',
    differences: `
      select 'pending_purchases' as rows_of, p.merchant_id, p.purchase_id::text as missing
      from pending_purchases p
      left join purchases v on v.merchant_id = p.merchant_id and v.id = p.purchase_id
      where v.id is null
      union all
      select 'purchase_outcomes', o.merchant_id, o.purchase_id::text
      from purchase_outcomes o
      left join purchases v on v.merchant_id = o.merchant_id and v.id = o.purchase_id
      where v.id is null
      union all
      select 'attempts', a.merchant_id, a.purchase_id::text
      from attempts a
      left join purchases v on v.merchant_id = a.merchant_id and v.id = a.purchase_id
      where v.id is null
      union all
      select 'provider_answers', s.merchant_id, s.purchase_id || ' attempt ' || s.attempt
      from provider_answers s
      left join attempts a on a.merchant_id = s.merchant_id and a.purchase_id = s.purchase_id and a.number = s.attempt
      where a.purchase_id is null
      -- What was never sent has no attempt, and can be failed by a person.
      and not (s.attempt = 0 and s.source = 'operator' and s.kind = 'not_sent')
      union all
      select 'alarms', l.merchant_id, l.purchase_id::text
      from alarms l
      left join purchases v on v.merchant_id = l.merchant_id and v.id = l.purchase_id
      where l.purchase_id is not null
      and v.id is null`,
  },
  {
    name: 'orphan-balances',
    over: 'moment',
    at: 'coordinator',
    description: 'Every balance refers to an account that exists',
    differences: `
      select 'house_deltas' as rows_of, null as merchant_id, d.account_id::text as missing
      from house_deltas d
      left join accounts a on a.id = d.account_id
      where a.id is null
      union all
      select 'house_balances', null, b.account_id::text
      from house_balances b
      left join accounts a on a.id = b.account_id
      where a.id is null`,
  },
  {
    name: 'deliveries',
    over: 'slice',
    description:
      'An order is sent to its customer after its success and with its goods, and not when it failed',
    differences: `
      select d.merchant_id, d.purchase_id as purchase, d.state, d.channel, coalesce(o.status, 'pending') as status
      from deliveries d
      left join purchases v
        on v.merchant_id = d.merchant_id
        and v.environment = d.environment
        and v.id = d.purchase_id
      left join purchase_outcomes o
        on o.merchant_id = d.merchant_id
        and o.purchase_id = d.purchase_id
      left join pending_fulfilments l
        on l.merchant_id = d.merchant_id
        and l.purchase_id = d.purchase_id
      where v.id is null
      or case
        when o.status is null or l.purchase_id is not null then d.state <> 'waiting'
        when o.status = 'failed' then d.state <> 'cancelled'
        else d.state in ('waiting', 'cancelled')
      end`,
  },
];
