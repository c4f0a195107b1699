-- What finds purchases across merchants (docs/decisions/0305-search-by-segments.md). It is filled
-- in the background: a purchase writes nothing of it.

-- Some thousand purchases that are final, sorted by their ids.
create table search_segments (
  id bigint generated always as identity,
  newest uuid not null,
  oldest uuid not null,
  size integer not null,
  -- Each 256th id.
  fences uuid[] not null,
  -- For each purchase its id, its merchant and its environment, in 21 bytes.
  members bytea not null,
  constraint search_segments_pkey primary key (id)
);

-- Random bytes are not worth compressing. So a part of them can be read alone.
alter table search_segments alter column members set storage external;

create index search_segments_newest_idx on search_segments (newest, id);

-- Which purchases of a segment have a value.
create table search_postings (
  attribute text not null,
  value text not null,
  segment bigint not null,
  postings bytea not null,
  constraint search_postings_pkey primary key (attribute, value, segment)
);

alter table search_postings alter column postings set storage external;

-- Tokens that came after their segment. The index has hashes of them.
create index vend_goods_goods_idx on vend_goods using gin (goods jsonb_path_ops) with (fastupdate = off);

-- Of outcomes by their time: from "from" to "up_to" they are in segments. What is there now is taken
-- from its end to its beginning.
insert into settings (name, value)
select
  'search_progress',
  case
    when exists (select from vend_outcomes) then json_build_object('from', now()::text, 'up_to', now()::text)
    else '{"from": "-infinity", "up_to": "-infinity"}'
  end;
