-- before: 87de0fd20e7fe34108c3b1afccb649fab1675f99d585e1260ab26ab87188640e
-- What providers have said of a vend while it is pending. It is never forgotten: after a provider has
-- said that it delivered, no answer brings the money back.
alter table pending_vends
  -- The attempt whose provider said success, though not all of it: goods are missing, or another
  -- attempt was made already.
  add column delivered_attempt smallint,
  -- The provider of the present attempt said that it has the order.
  add column acknowledged boolean not null default false,
  -- When an answer contradicted the success that was said. The alarm is raised once.
  add column contradicted_at timestamptz;
