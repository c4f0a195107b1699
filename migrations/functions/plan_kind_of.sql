-- The kind of plan or airtime that a purchase bought: its own, or the usual one of its product.
-- Empty for products without kinds.
create or replace function plan_kind_of(product text, details jsonb) returns text
language sql
immutable
as $$
  select coalesce(details->>'kind', case product when 'airtime' then 'vtu' when 'data' then 'direct' else '' end);
$$;
