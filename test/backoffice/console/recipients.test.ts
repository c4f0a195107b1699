/** Saved recipients: who can read and change them, and their entries in the audit log. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConsoleTest, type Person, startConsole } from './harness.ts';

let test: ConsoleTest;
let finance: Person;
let viewer: Person;
let other: Person;
let full: Person;

before(async () => {
  test = await startConsole();
  for (const code of ['SHOP', 'OTHER', 'FULL']) await test.admin.run('merchant.create', { code, name: code });
  finance = await test.person('finance@shop.example', ['finance'], 'SHOP');
  viewer = await test.person('viewer@shop.example', ['viewer'], 'SHOP');
  other = await test.person('owner@other.example', ['owner'], 'OTHER');
  full = await test.person('owner@full.example', ['owner'], 'FULL');
});
after(() => test[Symbol.asyncDispose]());

const tolu = { name: 'Mama Tolu', product: 'airtime', network: 'mtn', number: '+2348031234567' };

async function run(person: Person, operation: string, input: object = {}) {
  const { status, body } = await person.browser.run(operation, input);
  return { status, code: body.error?.code, data: body.data, fields: body.error?.fields };
}

async function names(person: Person): Promise<string[]> {
  const { data } = await run(person, 'recipient.list');
  return data.map(({ name }: { name: string }) => name);
}

describe('saved recipients', () => {
  it('are added once for each product, network and number, renamed and removed', async () => {
    const { data: added } = await run(finance, 'recipient.add', tolu);
    assert.deepEqual([added.created, added.network, added.number], [true, 'MTN', '08031234567']);
    const { data: again } = await run(finance, 'recipient.add', {
      ...tolu,
      name: 'Tolu',
      number: '08031234567',
    });
    assert.deepEqual([again.created, again.id, again.name], [false, added.id, 'Tolu']);
    await run(finance, 'recipient.add', {
      ...tolu,
      name: 'Tolu, meter',
      product: 'ELECTRICITY',
      network: 'ikeja',
      number: '45010000001',
    });
    assert.deepEqual(await names(finance), ['Tolu', 'Tolu, meter']);
    const { data: renamed } = await run(finance, 'recipient.rename', { recipient: added.id, name: 'Zainab' });
    assert.equal(renamed.name, 'Zainab');
    assert.deepEqual(await names(finance), ['Tolu, meter', 'Zainab']);
    assert.equal((await run(finance, 'recipient.remove', { recipient: added.id })).status, 200);
    assert.deepEqual(await names(finance), ['Tolu, meter']);
    for (const operation of ['recipient.remove', 'recipient.show']) {
      assert.equal((await run(finance, operation, { recipient: added.id })).code, 'no_recipient');
    }
    const gone = await run(finance, 'recipient.rename', { recipient: added.id, name: 'x' });
    assert.equal(gone.code, 'no_recipient');
  });

  it('are listed from the place of a recipient that was removed or renamed meanwhile', async () => {
    const page = async (cursor?: string) =>
      (await other.browser.run('recipient.list', { limit: 1, ...(cursor && { cursor }) })).body;
    const ids: [string, string, string, string] = ['', '', '', ''];
    for (const [at, name] of ['Ada', 'Ben', 'Chi/x', 'Dan'].entries()) {
      const { data } = await run(other, 'recipient.add', { ...tolu, name, number: `0803123400${at}` });
      ids[at] = data.id;
    }
    const first = await page();
    assert.equal(first.data[0].name, 'Ada');
    await run(other, 'recipient.remove', { recipient: ids[0] });
    const second = await page(first.cursor);
    assert.equal(second.data[0].name, 'Ben');
    await run(other, 'recipient.rename', { recipient: ids[1], name: 'Zainab' });
    const third = await page(second.cursor);
    assert.equal(third.data[0].name, 'Chi/x');
    assert.equal((await page(third.cursor)).data[0].name, 'Dan');
    for (const cursor of [ids[2], 'x', `${ids[2]}/`]) {
      const refused = await run(other, 'recipient.list', { cursor });
      assert.deepEqual([refused.status, refused.code], [400, 'no_such_cursor'], cursor);
    }
    for (const recipient of ids.slice(1)) await run(other, 'recipient.remove', { recipient });
  });

  it('are renamed by adding them again at the limit, when another one is refused', async () => {
    const max = 2_000;
    await test.admin.database.query(
      `insert into saved_recipients (merchant_id, id, name, product, network, number)
       select id, gen_random_uuid(), 'one of many', 'airtime', 'MTN', '0803' || (1000000 + n)
       from merchants, generate_series(1, $1::integer) n
       where code = 'FULL'`,
      [max],
    );
    const saved = { ...tolu, name: 'Renamed', number: '08031000001' };
    const { data: renamed } = await run(full, 'recipient.add', saved);
    assert.deepEqual([renamed.created, renamed.name], [false, 'Renamed']);
    assert.equal((await run(full, 'recipient.add', tolu)).code, 'recipients_full');
    assert.equal((await run(full, 'recipient.remove', { recipient: renamed.id })).status, 200);
    assert.equal((await run(full, 'recipient.add', tolu)).data.created, true);
    assert.equal((await run(full, 'recipient.add', saved)).code, 'recipients_full');
  });

  it('are refused with a number or a network that cannot be bought for', async () => {
    for (const [change, field] of [
      [{ number: '0803' }, 'number'],
      [{ network: 'NITEL' }, 'network'],
      [{ product: 'ELECTRICITY', network: 'IKEJA', number: '!' }, 'number'],
    ] as const) {
      const refused = await run(finance, 'recipient.add', { ...tolu, ...change });
      assert.deepEqual([refused.status, refused.code], [400, 'input_malformed'], field);
      assert.equal(refused.fields[0].field, field);
    }
  });

  it('are masked in lists, and shown completely only to users who may buy', async () => {
    const { data: added } = await run(finance, 'recipient.add', tolu);
    for (const person of [finance, viewer]) {
      const text = JSON.stringify((await run(person, 'recipient.list')).data);
      assert.ok(text.includes('***4567') && !text.includes('08031234567'), text);
    }
    assert.equal((await run(finance, 'recipient.show', { recipient: added.id })).data.number, '08031234567');
    assert.equal((await run(viewer, 'recipient.show', { recipient: added.id })).status, 403);
    assert.equal((await run(viewer, 'recipient.add', tolu)).status, 403);
    assert.equal((await run(viewer, 'recipient.remove', { recipient: added.id })).status, 403);
    assert.deepEqual(await names(other), []);
    assert.equal((await run(other, 'recipient.show', { recipient: added.id })).code, 'no_recipient');
  });

  it('are in the audit log without the person', async () => {
    const entries = await test.admin.database.query<{ action: string; text: string }>(
      "select action, a::text as text from audit_log a where action like 'recipient.%'",
    );
    assert.ok(entries.some(({ action }) => action === 'recipient.add'));
    for (const { text } of entries) assert.doesNotMatch(text, /8031234567|45010000001|Tolu|Zainab/);
  });
});
