-- Bills: who the billers are, and their plans beside those of data, so that an id stands for one plan over all products.

-- Who is behind a bill network. Never deleted, since vends name the network for ever.
create table billers (
  product text not null,
  -- As in the interface; it outlives the companies behind it.
  network text not null,
  name text not null,
  -- A list of {name, since, note, source}: what else it is asked for by, and for new companies since when and who says so.
  aliases jsonb not null default '[]',
  active boolean not null default true,
  position integer not null,
  primary key (product, network)
);

-- Bill plans have no size or validity, and some have no old ids. Their plan_code is their id as text.
alter table plans
  alter column price drop not null,
  alter column description drop not null,
  alter column tariff_type_id drop not null,
  alter column validity drop not null,
  alter column size drop not null,
  alter column plan_group drop not null,
  alter column short_code drop not null,
  add column amount_type text not null default 'fixed',
  add column min_amount bigint,
  add column max_amount bigint,
  add column meter_kind text,
  -- The old id that verification takes in place of the plan code.
  add column service_id text,
  add constraint plans_amount check (
    case amount_type
      when 'fixed' then price is not null and min_amount is null and max_amount is null
      when 'variable' then
        price is null
        and min_amount is not null
        and max_amount is not null
        and 0 < min_amount
        and min_amount <= max_amount
      else false
    end
  ),
  add constraint plans_meter_kind check (
    case product
      when 'ELECTRICITY' then meter_kind is not null and meter_kind in ('prepaid', 'postpaid')
      else meter_kind is null
    end
  ),
  add constraint plans_data check (
    product <> 'data'
    or (
      amount_type = 'fixed'
      and description is not null
      and tariff_type_id is not null
      and validity is not null
      and size is not null
      and plan_group is not null
      and short_code is not null
    )
  );

-- Test credentials are always served by the sandbox.
insert into routes (environment, product, network, position, provider)
values
  ('test', 'ELECTRICITY', '*', 1, 'sandbox'),
  ('test', 'CABLE', '*', 1, 'sandbox'),
  ('test', 'BETTING', '*', 1, 'sandbox');
