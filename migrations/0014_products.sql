-- The products this installation knows, with what SQL must know of them. The gateway writes them at its start, from
-- the records of src/products: statements and audits read what is stored here and never name a product.
create table products (
  product text primary key,
  -- direct: for a mobile number | bill: to a biller | order: by plan, looked up and not listed.
  kind text not null check (kind in ('direct', 'bill', 'order')),
  -- What it brings is stored sealed.
  sealed boolean not null,
  known_since timestamptz not null default now()
);

-- Those of the versions before, whose test routes are there.
insert into products (product, kind, sealed)
values
  ('airtime', 'direct', false),
  ('data', 'direct', false),
  ('ELECTRICITY', 'bill', false),
  ('CABLE', 'bill', false),
  ('BETTING', 'bill', false),
  ('GIFTCARD', 'order', true),
  ('ESIM', 'order', true);

-- Whether the goods are sent to a customer once the vend is final. Null in rows of earlier versions: it is looked up.
alter table pending_vends add column delivers boolean;
