-- Lagos is an hour before UTC, the whole year.
create or replace function lagos_day(at timestamptz) returns date
language sql
immutable
as $$
  select ((at at time zone 'UTC') + interval '1 hour')::date;
$$;

-- The first day from a given one on that is not closed. The days before the first closed one are
-- closed with it.
create or replace function open_day(p_environment text, p_day date) returns date
language sql
stable
as $$
  select greatest(p_day, (
    select max(day) + 1
    from closed_days
    where environment = p_environment
  ));
$$;

-- The day that a transfer belongs to. Those of one purchase are stored by one statement, and the
-- first of them decides where a midnight comes between.
create or replace function booked_day(p_merchant_id integer, p_subject_id uuid, p_code text, p_at timestamptz) returns date
language sql
stable
as $$
  select
    case
      when p_code in ('vend_cost', 'vend_margin', 'vend_loss') and lagos_day(p_at) > lagos_day(p_at - interval '1 hour') then (
        select lagos_day(min(created_at))
        from transfers
        where merchant_id = p_merchant_id
        and subject_id = p_subject_id
        and code in ('vend_cost', 'vend_margin', 'vend_loss')
      )
      else lagos_day(p_at)
    end;
$$;
