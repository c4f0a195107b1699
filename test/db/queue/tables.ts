/**
 * Two queues of tables that exist only in tests: one with items that may run twice, and one with
 * items that may not.
 */
import type { Database } from '../../../src/db/database.ts';
import { defineQueue } from '../../../src/db/queue/leased-queue.ts';

export type Errand = { readonly id: number; readonly shop: string };
type Letter = { readonly merchant_id: number; readonly purchase_id: string; readonly text: string };

export const errands = defineQueue<Errand, 'id'>({
  table: 'errands',
  key: ['id'],
  columns: ['shop'],
  lane: 'shop',
  repeatable: true,
  deletes: true,
});

export const letters = defineQueue<Letter, 'merchant_id' | 'purchase_id'>({
  table: 'letters',
  key: ['merchant_id', 'purchase_id'],
  columns: ['text'],
  repeatable: false,
  deletes: false,
  claimed: { state: 'sending' },
  changedAt: 'changed_at',
});

const queueColumns = `
  due_at timestamptz default now(),
  lease_id uuid,
  tries integer not null default 0,
  alarmed_at timestamptz`;

export async function createTables(database: Database): Promise<void> {
  await database.query(
    `create table errands (id integer primary key, shop text not null default 'a', ${queueColumns})`,
  );
  await database.query('create index errands_due_idx on errands (due_at) where due_at is not null');
  await database.query(`
    create table letters (
      merchant_id integer not null,
      purchase_id uuid not null,
      text text not null default '',
      state text not null default 'due',
      changed_at timestamptz,
      ${queueColumns},
      primary key (merchant_id, purchase_id)
    )`);
}
