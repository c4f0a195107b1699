-- Lagos is one hour ahead of UTC all year.
create or replace function lagos_day(at timestamptz) returns date
language sql
immutable
as $$
  select ((at at time zone 'UTC') + interval '1 hour')::date;
$$;
