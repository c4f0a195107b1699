/**
 * Operations that wait for a second person: the rules of approval, a single run of the stored
 * input, and both people in the audit log.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { isSamePerson } from '../../../src/oversight/approvals/is-one-person.ts';
import { type Admin, startAdmin } from '../../backoffice/admin/harness.ts';
import {
  accept,
  answer,
  assertAudited,
  type Buyer,
  openBuyer,
  purchase,
  resolveWords,
} from '../../purchases/fixture.ts';

let admin: Admin;
let buyer: Buyer;
let ada: string;
let bob: string;

before(async () => {
  admin = await startAdmin();
  buyer = await openBuyer(admin.database, 1_000_000n);
  ada = await admin.tokenFor('support', 'ada');
  bob = await admin.tokenFor('support', 'bob');
});
after(async () => {
  // A delivery of something else is a difference until a person has seen it.
  await admin.database.query('update alarms set acknowledged_at = now()');
  await assertAudited(admin.database);
  await admin[Symbol.asyncDispose]();
});

/** The provider reported a delivery, but of something else. */
async function buyDelivered(): Promise<string> {
  const item = purchase(buyer, 1_000n);
  await accept(admin.database, item);
  const effect = { kind: 'wait', dueMs: 60_000, flag: true } as const;
  await resolveWords(admin.database, answer(buyer, item, 'success', { effect }));
  return item.id;
}

const override = (id: string, token: string, fields: object = {}) =>
  admin.call('POST', `/purchases/${id}/settle`, {
    token,
    body: { outcome: 'failed', evidence: 'credit note 12', override: true, ...fields },
  });

/** Requested by ada. */
async function ask(id: string, fields: object = {}): Promise<string> {
  const asked = await override(id, ada, fields);
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  return asked.body.data.approval.id;
}

const decide = (approval: string, verb: 'approve' | 'reject', token: string) =>
  admin.call('POST', `/approvals/${approval}/${verb}`, {
    token,
    body: verb === 'reject' ? { reason: 'not proven' } : {},
  });

async function outcomeOf(id: string): Promise<string> {
  const [row] = await admin.database.query<{ status: string }>(
    'select status from purchase_outcomes where purchase_id = $1',
    [id],
  );
  return row?.status ?? 'pending';
}

describe('an act that needs a second person', () => {
  it('an operation waits, runs once for another person, and names both in the audit log', async () => {
    const id = await buyDelivered();
    const approval = await ask(id);
    assert.equal(await outcomeOf(id), 'pending');
    const waiting = await admin.call('GET', '/approvals?limit=1', { token: bob });
    assert.deepEqual(
      [waiting.body.data[0].id, waiting.body.data[0].state, waiting.body.data[0].asked_by],
      [approval, 'waiting', 'ada'],
    );
    const both = await Promise.all([decide(approval, 'approve', bob), decide(approval, 'approve', bob)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(await outcomeOf(id), 'failed');
    const shown = await admin.call('GET', `/approvals/${approval}`, { token: bob });
    assert.deepEqual(
      [shown.body.data.state, shown.body.data.decided_by, shown.body.data.output.outcome],
      ['approved', 'bob', 'failed'],
    );
    const [entry] = await admin.database.query<{ actor: string; after: Record<string, unknown> }>(
      "select actor, after from audit_log where action = 'purchase.settle' and subject = 'purchase:' || $1",
      [id],
    );
    assert.equal(entry?.actor, 'ada');
    assert.equal(entry.after.approved_by, 'bob');
    assert.match(String(entry.after.approved_principal), /^token:\w+ \(bob\)$/);
    const done = await decide(approval, 'reject', bob);
    assert.equal(done.body.reason, 'approval_over');
  });

  it('refuses approval by the requester, by any of their tokens, or without the role', async () => {
    const approval = await ask(await buyDelivered());
    const second = await admin.tokenFor('admin', ' ADA ');
    for (const token of [ada, second]) {
      const refused = await decide(approval, 'approve', token);
      assert.deepEqual([refused.status, refused.body.reason], [403, 'approval_by_same_person']);
    }
    // The display name of a person changes nothing.
    const stated = { name: 'bob', principal: 'token:x (Ada)', edge: 'cli', roles: ['admin'] } as const;
    await assert.rejects(admin.run('approval.approve', { approval }, stated));
    const viewer = await admin.tokenFor('viewer', 'eve');
    assert.equal((await decide(approval, 'approve', viewer)).status, 403);
    const withdrawn = await decide(approval, 'reject', ada);
    assert.equal(withdrawn.body.data.state, 'rejected');
    assert.equal((await decide(approval, 'approve', bob)).body.reason, 'approval_over');
  });

  it('requests once under its key, and runs once', async () => {
    const id = await buyDelivered();
    const key = newId();
    const [one, other] = await Promise.all([ask(id, { key }), ask(id, { key })]);
    assert.equal(one, other);
    const changed = await override(id, ada, { key, evidence: 'another' });
    assert.equal(changed.body.reason, 'key_used');
    await decide(one, 'approve', bob);
    const repeated = await override(id, ada, { key });
    assert.deepEqual(
      [repeated.status, repeated.body.repeated, repeated.body.data.outcome],
      [200, true, 'failed'],
    );
  });

  it('refuses an invalid operation at once, without a request', async () => {
    const unknown = await override('no-such-purchase', ada);
    assert.equal(unknown.status, 404);
    const id = await buyDelivered();
    const first = await ask(id);
    const second = await ask(id);
    await decide(first, 'approve', bob);
    assert.equal((await override(id, ada)).body.reason, 'purchase_final');
    // An operation that has become impossible does not run, and can still be rejected.
    assert.equal((await decide(second, 'approve', bob)).body.reason, 'purchase_final');
    assert.equal((await decide(second, 'reject', bob)).body.data.state, 'rejected');
  });

  it('expires after 72 hours', async () => {
    const id = await buyDelivered();
    const approval = await ask(id);
    await admin.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [
        approval,
      ]);
    });
    assert.equal((await decide(approval, 'approve', bob)).body.reason, 'approval_over');
    const expired = await admin.call('GET', '/approvals?state=expired', { token: bob });
    assert.deepEqual(
      expired.body.data.map((row: { id: string }) => row.id),
      [approval],
    );
    assert.equal(await outcomeOf(id), 'pending');
    await decide(await ask(id), 'approve', bob);
    assert.equal(await outcomeOf(id), 'failed');
  });
});

it('treats all tokens of one person as one person', () => {
  const same: readonly [string, string, boolean][] = [
    ['token:a1 (ada)', 'token:b2 (Ada )', true],
    ['user:ada', 'token:b2 (ADA)', true],
    ['user:root', 'user:root', true],
    ['user:root', 'token:a1 (ada)', false],
    ['token:a1 (ada)', 'token:a1 (bob)', false],
  ];
  for (const [one, other, is] of same) assert.equal(isSamePerson(one, other), is, `${one}, ${other}`);
});
