/**
 * Request bodies of operations: who is refused before the body is read, and which bodies are too
 * large.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { type Browser, startConsole } from './harness.ts';

const test = await startConsole();
after(() => test[Symbol.asyncDispose]());
const viewer = await test.person('viewer@console.example', ['viewer']);
const admin = await test.person('admin@console.example', ['admin']);
const viewerToken = await test.admin.tokenFor('viewer');
const adminToken = await test.admin.tokenFor('admin');

function membersOf(count: number): string {
  const members = Array.from({ length: count }, (_, at) => `"unknown${at}":${at}`);
  return `{${members.join(',')}}`;
}

async function consoleCode(browser: Browser, operation: string, body: string) {
  const answer = await browser.post(`/api/operations/${operation}`, body);
  return [answer.status, answer.body.error.code] as const;
}

async function adminReason(token: string, path: string, body: string) {
  const answer = await test.admin.call('POST', path, { token, body });
  return [answer.status, answer.body.reason] as const;
}

describe('the body of an operation', () => {
  const large = membersOf(200_000);

  it('reads no body if the user may not run the operation', async () => {
    assert.deepEqual(await consoleCode(viewer.browser, 'catalog.import', '{"content":'), [
      403,
      'role_lacking',
    ]);
    assert.deepEqual(await consoleCode(viewer.browser, 'merchant.create', large), [403, 'role_lacking']);
    assert.deepEqual(await adminReason(viewerToken, '/merchants', '{"code":'), [403, 'role_lacking']);
    assert.deepEqual(await adminReason(viewerToken, '/merchants', large), [403, 'role_lacking']);
  });

  it('refuses too many members before it parses them', async () => {
    for (const count of [1_100, 5_000, 200_000]) {
      const [status, code] = await consoleCode(viewer.browser, 'merchant.list', membersOf(count));
      assert.deepEqual([status, code], [400, 'body_too_many_members']);
      assert.deepEqual(await adminReason(adminToken, '/merchants', membersOf(count)), [
        400,
        'body_too_many_members',
      ]);
    }
  });

  it('refuses a body above the limit of the operation', async () => {
    const long = (bytes: number): string => JSON.stringify({ content: 'x'.repeat(bytes) });
    assert.deepEqual(await consoleCode(admin.browser, 'merchant.create', long(70_000)), [
      413,
      'body_too_large',
    ]);
    assert.deepEqual(await adminReason(adminToken, '/merchants', long(70_000)), [400, 'body_too_large']);
    const imported = await admin.browser.post('/api/operations/catalog.import', long(1_000_000));
    assert.equal(imported.status, 200);
    for (const [operation, bytes] of [
      ['catalog.import', 1_100_000],
      ['reconciliation.run', 17_000_000],
    ] as const) {
      assert.deepEqual(await consoleCode(admin.browser, operation, long(bytes)), [413, 'body_too_large']);
    }
  });

  it('limits a body by operation, and reads none without the role', async () => {
    const body = JSON.stringify({ nothing: 'x'.repeat(70_000) });
    const lacking = operations.filter((one) => !one.roles.includes('viewer'));
    const small = operations.filter(({ bodyBytesMax }) => bodyBytesMax === undefined);
    assert.ok(lacking.length > 50 && small.length > 100);
    for (const { name, bodyBytesMax } of operations) {
      const isOpen = !lacking.some((one) => one.name === name);
      const told = await consoleCode(viewer.browser, name, body);
      if (!isOpen) assert.deepEqual(told, [403, 'role_lacking'], name);
      else if (bodyBytesMax === undefined) assert.deepEqual(told, [413, 'body_too_large'], name);
      const [status, code] = await consoleCode(admin.browser, name, body);
      assert.equal(code === 'body_too_large', bodyBytesMax === undefined, `${name}: ${status} ${code}`);
    }
  });

  it('names a bounded number of unknown fields', async () => {
    const answer = await viewer.browser.post('/api/operations/merchant.list', membersOf(300));
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'input_malformed']);
    assert.equal(answer.body.error.field, 'unknown0');
    assert.ok(answer.body.error.fields.length >= 1 && answer.body.error.fields.length <= 100);
    assert.ok(answer.body.error.message.length > 0 && answer.body.error.message.length < 20_000);
    const name = 'n'.repeat(50_000);
    const long = await viewer.browser.run('merchant.list', { [name]: 1 });
    assert.deepEqual([long.status, long.body.error.code], [400, 'input_malformed']);
    assert.ok(long.body.error.message.length < 2_000);
  });

  it('accepts null for an unknown name', async () => {
    assert.equal((await viewer.browser.run('merchant.list', { limit: 5, nothing: null })).status, 200);
    assert.equal((await viewer.browser.run('merchant.list', { limit: 5 })).status, 200);
  });
});
