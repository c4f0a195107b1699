/** The data of one person: exported completely, and erased where the books do not need it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { prepareDatabase } from '../../../src/app/open-storage.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/db/database.ts';
import { maskPerson, readPerson } from '../../../src/operate/retention/find-held.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import type { PricedRow } from '../../../src/purchases/batches/batch.ts';
import { updateBatchState } from '../../../src/purchases/batches/batch-store.ts';
import { storeBatch } from '../../../src/purchases/batches/change-batch.ts';
import { type Ran, runOja } from '../../cli/harness.ts';
import { auditDifferences } from '../../support/books.ts';
import { changeOutcomes } from '../../support/change-outcomes.ts';
import { createTestDatabase } from '../../support/database.ts';
import { indexAll } from '../../support/index-all.ts';
import { loadDump } from '../../support/release-dump.ts';
import { fixtureKey, folderOf, readRelease } from '../../support/release-fixture.ts';

const nothing = {
  purchases: 0,
  contacts: 0,
  deliveries: 0,
  batches: 0,
  identities: 0,
  recipients: 0,
  findings: 0,
};

const row: PricedRow = {
  product: 'airtime',
  network: 'MTN',
  planCode: undefined,
  msisdn: '',
  recipient: '',
  phone: undefined,
  faceValue: 10_000n,
  charge: 10_000n,
};

const stack = new AsyncDisposableStack();
let database: Database;
let settings: Readonly<Record<string, string>>;

before(async () => {
  const { dump } = await readRelease('1.0.0');
  const clone = stack.use(await createTestDatabase({ empty: true }));
  database = clone.database;
  await loadDump(database, dump);
  await prepareDatabase(database, builtInProviders);
  // Final purchases became final days ago.
  await changeOutcomes(database, "set at = at - interval '4 days'");
  settings = {
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: fixtureKey,
    OJA_DATA_DIR: await folderOf({}),
  };
});

after(() => stack.disposeAsync());

type Row = {
  readonly kind: string;
  readonly reference: string | null;
  readonly says: Readonly<Record<string, string>>;
};

function oja(...args: readonly string[]): Promise<Ran> {
  return runOja(settings, ['person', ...args]);
}

async function held(person: string): Promise<Row[]> {
  const ran = await oja('export', person, '--json');
  assert.equal(ran.code, 0, ran.err);
  const { data, cursor } = JSON.parse(ran.out) as { readonly data: Row[]; readonly cursor: null };
  assert.equal(cursor, null);
  return data;
}

async function kinds(person: string): Promise<string[]> {
  return (await held(person)).map(({ kind, reference }) => `${kind} ${reference ?? '-'}`).sort();
}

describe('the stored data of a person', () => {
  it('refuses a partial answer while the search lacks the oldest purchases', async () => {
    const whole = '{"up_to": "-infinity", "read_from": "-infinity"}';
    const progress = "update settings set value = $1 where name = 'search_progress'";
    await database.query(progress, [JSON.stringify({ up_to: '-infinity', read_from: new Date() })]);
    const ran = await oja('export', '08030000011');
    assert.deepEqual([ran.code, ran.out, ran.refused], [1, '', 'search_incomplete']);
    await database.query(progress, [whole]);
    await indexAll(database);
  });

  it('finds a person by a number in any spelling, by an address, and by the contact of a bill', async () => {
    const purchases = ['purchase airtime-11', 'purchase airtime-11'];
    assert.deepEqual(await kinds('08030000011'), purchases);
    assert.deepEqual(await kinds('+234 803 000 0011'), purchases);
    assert.deepEqual(await kinds('ada@example.com'), ['delivery card-2']);
    const { out } = await oja('export', 'ada@example.com');
    assert.match(out, /^\d{4}-\S+ {2}delivery {2}DEMO {2}test {2}card-2\n( {2}\w+: .+\n)+/);
    assert.deepEqual(await kinds('nobody@example.com'), []);
    assert.deepEqual(await kinds('ADA@example.com'), ['delivery card-2']);
    assert.deepEqual(await kinds('08039876543'), ['delivery card-3']);
    assert.deepEqual(await kinds('08035550101'), ['contact bet-1']);
    assert.deepEqual(await kinds('45010000001'), ['purchase meter-1']);
    assert.deepEqual(await kinds('08031234567'), ['identity -']);
    assert.deepEqual(await kinds('22222222222'), ['identity -']);
    assert.deepEqual(await kinds('08039999999'), []);
    const [meter] = await held('45010000001');
    assert.equal(meter?.says.number, '45010000001');
    assert.ok(meter.says.name, JSON.stringify(meter));
    const [identity] = await held('demo@example.com');
    assert.equal(identity?.says.bvn, '22222222222');
  });

  it('refuses malformed requests', async () => {
    for (const [person, code] of [
      ['ab', 2],
      ['    ', 1],
      ['@@@@', 1],
    ] as const) {
      const ran = await oja('export', person, '--json');
      assert.deepEqual([ran.code, ran.out, ran.fields], [code, '', ['person']], person);
    }
  });

  it('returns it with an audit entry, which does not name the person', async () => {
    const rows = await database.query<{ subject: string; after: { fingerprint: string; rows: number } }>(
      "select subject, after from audit_log where action = 'person.export' order by id limit 2",
    );
    assert.deepEqual(
      rows.map(({ subject }) => subject),
      ['person:0803*******', 'person:0803*******'],
    );
    assert.match(rows[0]?.after.fingerprint ?? '', /^[0-9a-f]{32}$/);
    const all = await database.query("select from audit_log a where position('8030000011' in a::text) > 0");
    assert.deepEqual(all, []);
  });
});

describe('erasing the stored data of a person', () => {
  it('asks for confirmation first', async () => {
    const ran = await oja('erase', '08030000011');
    assert.deepEqual([ran.code, ran.refused], [1, 'confirmation_needed']);
    assert.equal((await held('08030000011')).length, 2);
  });

  it('refuses while a purchase is pending, and changes nothing', async () => {
    for (const [person, reference] of [
      ['08030000031', 'waits-31'],
      ['45010000003', 'meter-late'],
    ] as const) {
      const ran = await oja('erase', person, '--yes');
      assert.deepEqual([ran.code, ran.refused], [1, 'person_needed']);
      assert.ok(ran.err.includes(reference), ran.err);
      assert.ok((await kinds(person)).includes(`purchase ${reference}`));
    }
    // A success is queried once more in the following days.
    await changeOutcomes(
      database,
      "set at = now() where purchase_id in (select id from purchases where reference = 'airtime-13')",
    );
    const again = await oja('erase', '08030000013', '--yes');
    assert.equal(again.refused, 'person_needed');
    assert.match(again.err, /\bairtime-13\b.*\bairtime-13\b/);
    assert.deepEqual(await database.query("select from audit_log where action = 'person.erase'"), []);
  });

  it('erases the person in purchases, deliveries and identities, and no other person', async () => {
    const others = await kinds('08030000012');
    const money = await readMoney();
    const erase = async (person: string): Promise<unknown> => {
      const ran = await oja('erase', person, '--yes', '--json');
      assert.equal(ran.code, 0, ran.err);
      return JSON.parse(ran.out).data;
    };
    const none = { ...nothing, kept: [] };
    assert.deepEqual(await erase('08030000011'), { ...none, purchases: 2 });
    assert.deepEqual(await erase('ada@example.com'), { ...none, deliveries: 1 });
    assert.deepEqual(await erase('08035550101'), { ...none, contacts: 1 });
    assert.deepEqual(await erase('demo@example.com'), { ...none, identities: 1 });
    for (const person of ['08030000011', 'ada@example.com', '08035550101', 'demo@example.com']) {
      assert.deepEqual(await kinds(person), [], person);
      assert.deepEqual(await erase(person), none, 'a second time nothing is there');
    }
    assert.deepEqual(await kinds('08030000012'), others);
    assert.deepEqual(await readMoney(), money);
    assert.deepEqual(await auditDifferences(database), []);
    const said = await database.query<{ text: string }>('select a::text as text from audit_log a');
    for (const needle of ['8030000011', 'ada@', '8035550101', 'demo@example.com']) {
      assert.ok(!said.some(({ text }) => text.includes(needle)), needle);
    }
    const [number] = await database.query("select msisdn from purchases where reference = 'bet-1'");
    assert.deepEqual(number, { msisdn: '1234567' });
  });

  it('erases the person in batch rows that were not bought, once the batch cannot buy them', async () => {
    const [person, contact, other] = ['08037770001', '08037770002', '08037770003'];
    const owner = { merchantId: 1, environment: 'live' as const };
    const given = { id: newId(), name: 'Staff', credentialId: 'oja_live_x', createdBy: 'DEMO' };
    const rows = [person, other].map((msisdn) => ({ ...row, msisdn, recipient: `234${msisdn.slice(1)}` }));
    const bill = { ...row, product: 'ELECTRICITY', msisdn: '45019999999', recipient: '45019999999' } as const;
    await database.transaction(async (tx) => {
      await storeBatch(tx, owner, { heads: [], rows: [...rows, { ...bill, phone: contact }] }, given);
    });
    for (const one of [person, '+234 803 777 0001', contact]) {
      assert.deepEqual(await kinds(one), [`batch_row ${given.id}`]);
    }
    const erase = async (text: string) => {
      const ran = await oja('erase', text, '--yes', '--json');
      assert.equal(ran.code, 0, ran.err);
      return JSON.parse(ran.out).data;
    };
    const kept = await erase(person);
    assert.deepEqual([kept.batches, kept.kept.length, kept.kept[0].kind], [0, 1, 'batch_row']);
    assert.equal((await kinds(person)).length, 1);
    await database.transaction((tx) => updateBatchState(tx, 1, given.id, 'stopped'));
    for (const one of [person, contact]) {
      assert.deepEqual(await erase(one), { ...nothing, batches: 1, kept: [] });
      assert.deepEqual(await kinds(one), []);
    }
    const left = await database.query<{ msisdn: string; recipient: string; phone: string | null }>(
      'select msisdn, recipient, phone from batch_rows where batch_id = $1 order by line',
      [given.id],
    );
    assert.deepEqual(left, [
      { msisdn: '0803*******', recipient: '234803*******', phone: null },
      { msisdn: other, recipient: `234${other.slice(1)}`, phone: null },
      { msisdn: bill.msisdn, recipient: bill.recipient, phone: null },
    ]);
    assert.deepEqual(await auditDifferences(database), []);
  });

  it('removes saved recipients with the number, and no others', async () => {
    const save = async (number: string, product: string, network: string) =>
      await database.query(
        `insert into saved_recipients (merchant_id, id, name, product, network, number)
         values (1, gen_random_uuid(), 'Mama Tolu', $2, $3, $1)`,
        [number, product, network],
      );
    await save('08037770009', 'airtime', 'MTN');
    await save('08037770009', 'data', 'MTN');
    await save('08037770008', 'airtime', 'MTN');
    const [first] = await held('+2348037770009');
    assert.deepEqual([first?.kind, first?.says.name], ['saved_recipient', 'Mama Tolu']);
    const ran = await oja('erase', '+2348037770009', '--yes', '--json');
    assert.deepEqual(JSON.parse(ran.out).data, { ...nothing, recipients: 2, kept: [] });
    assert.deepEqual(await kinds('08037770009'), []);
    assert.deepEqual(await kinds('08037770008'), ['saved_recipient -']);
  });

  it('keeps data that a merchant needs, and lists it', async () => {
    await database.query(
      "insert into mtn_lines (merchant_id, environment, phone, client_name) values (1, 'live', '2348031111111', 'Ada')",
    );
    assert.deepEqual(await kinds('08031111111'), ['mtn_line -']);
    const ran = await oja('erase', '08031111111', '--yes', '--json');
    assert.equal(ran.code, 0, ran.err);
    const [line, ...more] = JSON.parse(ran.out).data.kept;
    assert.deepEqual([line.kind, line.merchant, more], ['mtn_line', 'DEMO', []]);
    assert.deepEqual(await kinds('08031111111'), ['mtn_line -']);
  });
});

it('masks a person beyond recognition', () => {
  const masks = ['+2348031234567', 'Ada@Example.com', '45010000001'].map((text) => {
    const person = readPerson(text);
    return person && maskPerson(person);
  });
  assert.deepEqual(masks, ['0803*******', 'a***@example.com', '***********']);
});

async function readMoney(): Promise<object[]> {
  return await database.query(`
    select md5(string_agg(t::text, ',' order by id)) from transfers t
    union all
    select md5(string_agg(concat_ws(' ', reference, face_value, charge), ',' order by id)) from purchases`);
}
