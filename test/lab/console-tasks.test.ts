/** The table of `npm run console-tasks`, and the goals that it must meet. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Effort } from '../../lab/console-tasks/hand.ts';
import {
  type Figures,
  formatTable,
  missedGoals,
  type Row,
  replaceTable,
  rowsOf,
} from '../../lab/console-tasks/table.ts';
import { tasks } from '../../lab/console-tasks/tasks.ts';

const folder = join(import.meta.dirname, '..', '..', 'lab', 'console-tasks');
const effort = (clicks: number): Effort => ({ clicks, keys: 0, fields: 0, seconds: 1.3 * clicks });
const row = (changed: Partial<Row>): Row => ({
  name: 'Close a day',
  before: effort(10),
  pointer: effort(6),
  keyboard: effort(0),
  ...changed,
});

describe('the goals of the tasks', () => {
  it('needs at most 60 % of the clicks of 0.2 in total', () => {
    assert.deepEqual(missedGoals([row({})]), []);
    assert.deepEqual(missedGoals([row({ pointer: effort(4) }), row({ pointer: effort(8) })]), []);
    assert.equal(missedGoals([row({ pointer: effort(7) })]).length, 1);
  });

  it('leaves tasks that 0.2 cannot do out of the sum', () => {
    assert.deepEqual(missedGoals([row({}), row({ before: 'none', pointer: effort(50) })]), []);
  });

  it('is missed by a task that cannot be done with the pointer or by keyboard', () => {
    assert.equal(missedGoals([row({ pointer: 'failed' })]).length, 1);
    assert.equal(missedGoals([row({ keyboard: 'failed' })]).length, 1);
    assert.equal(missedGoals([row({ keyboard: undefined })]).length, 1);
  });
});

describe('the page of the tasks', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8');

  it('replaces a table, and refuses a page without a place for it', () => {
    const written = replaceTable(page, [row({})]);
    assert.ok(written.includes(formatTable([row({})])));
    assert.equal(replaceTable(written, [row({})]), written);
    assert.throws(() => replaceTable('# Tasks', []));
  });

  it('shows the last figures of every task', () => {
    const figures = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8')) as Figures;
    const rows = rowsOf(tasks, figures);
    assert.equal(new Set(tasks.map(({ name }) => name)).size, tasks.length);
    assert.equal(replaceTable(page, rows), page);
    assert.deepEqual(missedGoals(rows), []);
  });
});
