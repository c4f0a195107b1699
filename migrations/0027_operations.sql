-- Acts that were carried out under a key of whoever asked for them (src/operations). The input tells
-- a repetition from another act, and the output answers it.
create table operation_keys (
  operation text not null,
  key text not null,
  at timestamptz not null default now(),
  input jsonb not null,
  output jsonb not null,
  constraint operation_keys_pkey primary key (operation, key)
);
create trigger operation_keys_append_only before update or delete or truncate on operation_keys
  for each statement execute function refuse_change();

-- Keys of corrections are keys of the operation wallet.credit now.
drop table correction_keys;

-- Who may call the admin API, and act on the command line in an own name. Of a token's secret only
-- the SHA-256 is stored: it has 256 random bits.
create table access_tokens (
  id text not null,
  name text not null,
  roles text[] not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint access_tokens_pkey primary key (id)
);
