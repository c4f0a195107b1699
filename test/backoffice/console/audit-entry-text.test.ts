/** How the console names the subject of an audit log entry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortId, subjectText } from '../../../console/src/screens/audit-log/entry-text.ts';

const id = '01a22735-dc51-7da2-befa-bd488d40e4cc';
const entry = { principal: 'gateway', before: null, after: null };

test('links a subject that has a screen, and names others', () => {
  assert.deepEqual(subjectText({ ...entry, subject: 'merchant:DEMO' }), {
    kind: 'Merchant',
    name: 'DEMO',
    to: '/merchants/DEMO',
  });
  assert.equal(subjectText({ ...entry, subject: `purchase:${id}` }).to, `/purchases/${id}`);
  assert.deepEqual(subjectText({ ...entry, subject: 'route:live:AIRTIME:MTN' }), {
    kind: 'Route',
    name: 'live:AIRTIME:MTN',
    to: undefined,
  });
  assert.deepEqual(subjectText({ ...entry, subject: 'installation' }), {
    kind: 'Installation',
    name: '',
    to: undefined,
  });
});

test('names a user by the e-mail address that the entry has, and never by a whole UUID', () => {
  const subject = `user:${id}`;
  const email = 'ada@oja.example';
  assert.equal(subjectText({ ...entry, subject, principal: `${subject} (${email})` }).name, email);
  assert.equal(subjectText({ ...entry, subject, after: { email } }).name, email);
  assert.equal(subjectText({ ...entry, subject, before: { email }, after: { roles: [] } }).name, email);
  const other = `user:${id.replace('01a2', '01a3')} (grace@oja.example)`;
  assert.equal(subjectText({ ...entry, subject, principal: other }).name, shortId(id));
  assert.ok(!shortId(id).includes('-'));
  assert.equal(shortId('oja_live_key'), 'oja_live_key');
});
