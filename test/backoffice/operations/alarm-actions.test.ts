/** Each kind of alarm has an action that resolves it, or instructions instead. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { buttonOf } from '../../../console/src/widgets/action-text.ts';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import { lineOf } from '../../../src/cli/program.ts';
import { newId } from '../../../src/core/ids.ts';
import { type AlarmSubject, alarmKinds, dealWith } from '../../../src/notifications/alarms/alarm-actions.ts';
import { insertAlarm } from '../../../src/notifications/alarms/alarm-store.ts';
import type { listAlarmsOperation } from '../../../src/notifications/alarms/operations/list-alarms.ts';
import { type Admin, startAdmin } from '../admin/harness.ts';

const id = newId();
const whole: AlarmSubject = { purchase: id, merchant: 'SHOP', provider: 'vtpass', subject: id };
const bare: AlarmSubject = { purchase: null, merchant: null, provider: null, subject: null };

describe('the actions of alarms', () => {
  for (const kind of alarmKinds) {
    it(`${kind} has an action with its object filled in, or advice`, () => {
      const { actions, advice } = dealWith(kind, whole);
      assert.notEqual(actions.length === 0, advice === null);
      assert.doesNotMatch(advice ?? '', /\n|\.\/oja/);
      for (const action of actions) {
        const { input } = operationNamed(action.operation);
        for (const name of Object.keys(action.input)) assert.ok(input.properties[name], name);
        assert.ok(buttonOf(action), action.operation);
        assert.match(lineOf(action) ?? '', /^[a-z]/);
      }
    });
  }

  it('offers no action without a subject, or for an unknown kind of alarm', () => {
    const onWhole = [
      'guard.set',
      'deposit.list',
      'restore.status',
      'restore.open',
      'finding.list',
      'backup.record',
    ];
    for (const kind of alarmKinds) {
      const { actions } = dealWith(kind, bare);
      for (const { operation } of actions) assert.ok(onWhole.includes(operation), `${kind}: ${operation}`);
    }
    for (const kind of ['of-a-later-version', 'constructor']) {
      assert.deepEqual(dealWith(kind, whole), { actions: [], advice: null });
    }
    const sold = { environment: 'live', product: 'data', network: 'MTN' };
    const guard = dealWith('sold_below_cost', { ...bare, sold }).actions.map(buttonOf);
    assert.deepEqual(
      guard.map((button) => button?.kind === 'form' && button.start),
      [sold],
    );
    assert.equal(buttonOf({ operation: 'merchant.create', input: {} }), undefined);
  });
});

describe('the list of alarms', () => {
  let admin: Admin;
  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin[Symbol.asyncDispose]());

  it('has the actions of each, with the deposit or endpoint that it is about', async () => {
    const subjectId = newId();
    for (const kind of ['deposit_suspense', 'webhook', 'backup_old', 'deposit_unpaid'] as const) {
      await insertAlarm(admin.database, { kind, merchantId: undefined, subjectId, message: 'played' });
    }
    const { data }: Static<typeof listAlarmsOperation.output> = await admin.run('alarm.list', {});
    const found = data.map(({ kind, actions, advice }) => [kind, actions.map(({ input }) => input), advice]);
    const endpoint = { endpoint: subjectId };
    assert.deepEqual(found, [
      ['deposit_unpaid', [], data[0]?.advice],
      ['backup_old', [{}], null],
      ['webhook', [endpoint, endpoint], null],
      ['deposit_suspense', [{ deposit: subjectId }], null],
    ]);
    assert.ok(data[0]?.advice);
  });
});
