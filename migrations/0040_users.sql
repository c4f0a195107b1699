-- People who sign in at the console and the portal (docs/operators/console.md).

-- The operator's people have no merchant. An address is one user of the operator, and one of each
-- merchant.
create table users (
  id uuid not null,
  merchant_id integer,
  -- In small letters.
  email text not null,
  name text not null,
  roles text[] not null,
  -- An argon2id hash with its parameters. Null until the invitation is accepted.
  password text,
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  signed_in_at timestamptz,
  constraint users_pkey primary key (id),
  constraint users_merchant_fkey foreign key (merchant_id) references merchants (id),
  constraint users_email_check check (email = lower(email))
);

create unique index users_email_key on users (email, coalesce(merchant_id, 0));
create index users_merchant_idx on users (merchant_id, id);

-- A seed is sealed. One that is not confirmed proves nothing yet.
create table user_totps (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: no code of it or before is taken again.
  last_step bigint,
  created_at timestamptz not null default now(),
  constraint user_totps_pkey primary key (id),
  constraint user_totps_user_fkey foreign key (user_id) references users (id)
);

create unique index user_totps_user_key on user_totps (user_id, (confirmed_at is null));

create table user_passkeys (
  id text not null,
  user_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint user_passkeys_pkey primary key (id),
  constraint user_passkeys_user_fkey foreign key (user_id) references users (id)
);

create index user_passkeys_user_idx on user_passkeys (user_id);

create table user_recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  constraint user_recovery_codes_pkey primary key (user_id, hash),
  constraint user_recovery_codes_user_fkey foreign key (user_id) references users (id)
);

-- A token is 256 random bits, and its plain SHA-256 is stored. It changes when the session does.
create table user_sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  -- Half open: the password was right, and the second factor is still to come.
  state text not null,
  -- What it was opened by: a password, a code, a recovery code, a passkey, a link.
  opened_by text not null,
  address text not null,
  agent text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  stepped_up_until timestamptz,
  ended_at timestamptz,
  ended_by text,
  constraint user_sessions_pkey primary key (id),
  constraint user_sessions_token_key unique (token_hash),
  constraint user_sessions_user_fkey foreign key (user_id) references users (id),
  constraint user_sessions_state_check check (state in ('half', 'open'))
);

create index user_sessions_user_idx on user_sessions (user_id, id);
create index user_sessions_end_idx on user_sessions (expires_at);

-- Links that work once: invitations, new passwords and, in the demo, signing in.
create table user_links (
  hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint user_links_pkey primary key (hash),
  constraint user_links_user_fkey foreign key (user_id) references users (id),
  constraint user_links_purpose_check check (purpose in ('invitation', 'reset', 'sign_in'))
);

create index user_links_user_idx on user_links (user_id, purpose);
create index user_links_end_idx on user_links (expires_at);

-- What an authenticator is asked to sign, for one answer.
create table user_challenges (
  hash bytea not null,
  -- Who may answer: anybody who signs in, or one session.
  bound_to text not null,
  expires_at timestamptz not null,
  constraint user_challenges_pkey primary key (hash)
);

create index user_challenges_end_idx on user_challenges (expires_at);

-- How many tries are left, by account, address and browser: each fills again with time.
create table sign_in_buckets (
  key bytea not null,
  tokens double precision not null,
  counted_at timestamptz not null default now(),
  constraint sign_in_buckets_pkey primary key (key)
);

create index sign_in_buckets_time_idx on sign_in_buckets (counted_at);

-- E-mails with links. The link is made when the e-mail is sent, and is stored nowhere.
create table user_mails (
  id uuid not null,
  face text not null,
  purpose text not null,
  -- Null where somebody asked for a new password, and it is not known whose address it is.
  user_id uuid,
  email text not null,
  due_at timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz,
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint user_mails_pkey primary key (id),
  constraint user_mails_purpose_check check (purpose in ('invitation', 'reset'))
);

create index user_mails_due_idx on user_mails (due_at) where due_at is not null;
