/**
 * Lists by name everything that prevents distributing the path of a purchase by merchant (Citus).
 * It fails when an entry is added or fixed. `docs/maintainers/distributed.md` explains each.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  closureOf,
  departuresOfFunctions,
  departuresOfTables,
  readFunctions,
  readTables,
  type Table,
  tablesOf,
} from '../support/distributed-rules.ts';

const folder = join(import.meta.dirname, '..', '..', 'migrations');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const files = [
  ...readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort(),
  ...readdirSync(join(folder, 'functions'))
    .sort()
    .map((name) => join('functions', name)),
];
const tables = readTables(files.map(read).join('\n'));
/** The functions that accept, attempt and resolve call. */
const entries = [
  'accept_purchases',
  'resolve_purchases',
  'claim_lane_purchases',
  'claim_overdue_purchases',
  'lease_purchases',
];
const functions = closureOf(readFunctions(files.map(read)), entries);
const hot = tablesOf(functions, tables);

describe('the path of a purchase, on tables distributed by merchant', () => {
  it('uses these tables', () => {
    assert.deepEqual(
      hot.map(({ name }) => name),
      [
        ...[
          'alarms',
          'attempts',
          'capped_purchases',
          'credential_spending',
          'credentials',
          'deliveries',
          'events',
          'further_answers',
          'further_attempts',
          'house_deltas',
        ],
        ...[
          'pending_fulfilments',
          'pending_purchases',
          'provider_answers',
          'purchase_count_deltas',
          'purchase_goods',
          'purchase_outcomes',
          'purchases',
          'roll_up_checkpoints',
        ],
        ...['sealed_goods', 'transfers', 'voucher_redemptions', 'vouchers', 'wallet_owners', 'wallet_states'],
      ],
    );
  });

  it('lists every departure in its tables', () => {
    assert.deepEqual(departuresOfTables(hot), [
      'alarms: unique without merchant_id: alarms_pkey (id)',
      'alarms: unique without merchant_id: alarms_open_backup_key (kind)',
      "alarms: unique without merchant_id: alarms_idle_cell_key (split_part(message, ':', 1)",
      'alarms: unique without merchant_id: alarms_trouble_key (provider, kind)',
      'credentials: unique without merchant_id: credentials_pkey (key_id)',
      'further_answers: trigger further_answers_append_only',
      'further_answers: trigger further_answers_never_change',
      'further_attempts: trigger further_attempts_append_only',
      'house_deltas: has no merchant_id',
      'purchase_goods: trigger purchase_goods_append_only',
      'purchase_goods: trigger purchase_goods_never_change',
      'purchase_outcomes: trigger purchase_outcomes_append_only',
      'purchase_outcomes: trigger purchase_outcomes_never_change',
      'purchases: trigger purchases_append_only',
      'purchases: trigger purchases_never_change',
      'roll_up_checkpoints: has no merchant_id',
      'transfers: trigger transfers_append_only',
    ]);
  });

  it('lists every departure in its functions', () => {
    assert.deepEqual(departuresOfFunctions(functions, hot), [
      'accept_purchases: no argument is the merchant_id, so it is not delegated',
      'accept_purchases: from wallet_owners without merchant_id',
      'booking_time: no argument is the merchant_id, so it is not delegated',
      'claim_lane_purchases: no argument is the merchant_id, so it is not delegated',
      'claim_overdue_purchases: no argument is the merchant_id, so it is not delegated',
      'claim_overdue_purchases: from pending_purchases without merchant_id',
      'evidence_of: no argument is the merchant_id, so it is not delegated',
      'finish_purchases: no argument is the merchant_id, so it is not delegated',
      'lease_purchases: no argument is the merchant_id, so it is not delegated',
      'next_wallet_state: no argument is the merchant_id, so it is not delegated',
      'resolve_purchases: no argument is the merchant_id, so it is not delegated',
      'resolve_purchases: from wallet_owners without merchant_id',
      'resolve_side_effects: no argument is the merchant_id, so it is not delegated',
      'spend_within_caps: from credentials without merchant_id',
      'wallet_state: no argument is the merchant_id, so it is not delegated',
      'wallet_state: from wallet_states without merchant_id',
    ]);
  });
});

describe('the rules', () => {
  const schema = `
create table shops (
  merchant_id integer not null,
  id uuid not null,
  owner bigint,
  constraint shops_pkey primary key (merchant_id, id),
  constraint shops_id_key unique (id),
  constraint shops_owner_fkey foreign key (owner) references owners (id),
  constraint shops_till_fkey foreign key (merchant_id, owner) references tills (merchant_id, id)
);

create unique index shops_owner_key on shops (owner) where owner is not null;

create trigger shops_stay
  before delete on shops
  for each row execute function refuse();

create table owners (
  id bigint not null,
  constraint owners_pkey primary key (id)
);
`;
  const all = [...readTables(schema).values()];

  it('finds keys, references and triggers that depart', () => {
    assert.deepEqual(departuresOfTables(all), [
      'shops: unique without merchant_id: shops_id_key (id)',
      'shops: unique without merchant_id: shops_owner_key (owner)',
      'shops: shops_owner_fkey refers to owners, which must be a reference table',
      'shops: trigger shops_stay',
      'owners: has no merchant_id',
    ]);
  });

  it('finds joins and reads without a merchant, and accepts those with one', () => {
    const found = (body: string, args = 'p_merchant_id integer'): string[] => {
      const text = `create or replace function f(${args}) returns void language sql as $$ ${body} $$;`;
      return departuresOfFunctions(closureOf(readFunctions([text]), ['f']), all as Table[]);
    };
    assert.deepEqual(found('select from item i join shops s on s.id = i.id where i.merchant_id = 1;'), [
      'f: join shops without merchant_id',
    ]);
    assert.deepEqual(found('update shops set owner = 1 where id = 2;'), [
      'f: update shops without merchant_id',
    ]);
    assert.deepEqual(found('select (select s.id from shops s), merchant_id from item;'), [
      'f: from shops without merchant_id',
    ]);
    assert.deepEqual(found('select 1;', 'p_items item[]'), [
      'f: no argument is the merchant_id, so it is not delegated',
    ]);
    assert.deepEqual(
      found('select from item i join shops s on s.merchant_id = i.merchant_id and s.id = i.id;'),
      [],
    );
    assert.deepEqual(found('-- from shops\n delete from shops where merchant_id = 1 and id = 2;'), []);
    assert.deepEqual(found('select from owners;'), []);
  });
});
