/**
 * Keys that seal orders: rotated beside a running gateway, after which the old key opens nothing
 * that is needed; goods shown to operators only on the record.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createSealer, parseSealingKey } from '../../src/core/sealing.ts';
import { openIdentity } from '../../src/funding/sealed-identity.ts';
import { runOja } from '../cli/harness.ts';
import { assertAudited, newReference } from '../e2e/gateway-under-test.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const orders = '/v1/giftcards/orders';
const oldKey = randomBytes(32).toString('hex');
const newKey = randomBytes(32).toString('hex');

const fundingAccount = '/v1/wallet/funding-account';
const registration = {
  bvn: '22222222226',
  email: 'ada@shop.example',
  first_name: 'Ada',
  last_name: 'Obi',
  phone_number: '08031234567',
};

const document = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(3_000_000)]);

/** Registers the demo's merchant at the sandbox bank, with a document. Returns its id. */
async function register({ url, credentials, database }: Gateway): Promise<number> {
  const [merchant] = await database.query<{ id: number }>('select id from merchants where code = $1', [
    credentials.merchant,
  ]);
  assert.ok(merchant);
  await database.query(
    `insert into funding_currencies (merchant_id, environment, currency)
     values ($1, 'test', 'NGN')
     on conflict do nothing`,
    [merchant.id],
  );
  const form = new FormData();
  for (const [name, value] of Object.entries({ currency: 'NGN', ...registration })) form.append(name, value);
  form.append('id_card', new Blob([document]), 'card.jpg');
  const answer = await fetch(`${url}/v1/wallet/funding-account`, {
    method: 'POST',
    headers: { 'x-merchant-key': credentials.test.key, 'x-merchant-secret': credentials.test.secret },
    body: form,
  });
  assert.equal(answer.status, 200, await answer.text());
  return merchant.id;
}

describe('the keys that seal ordered goods', () => {
  it('rotates the keys, after which the old one is not required', async () => {
    await using clone = await createTestDatabase();
    const databaseUrl = clone.connectionString;
    // Credentials are written there at the first start.
    const dataDir = await mkdtemp(join(tmpdir(), 'oja-sealing-'));
    after(() => rm(dataDir, { recursive: true, force: true }));
    const body = { request_id: newReference(), plan_id: 300002, quantity: 2 };
    let cards: unknown;
    {
      await using gateway = await startGateway({
        databaseUrl,
        dataDir,
        settings: { OJA_ENCRYPTION_KEY: oldKey },
      });
      const bought = await gateway.call('POST', orders, { body });
      assert.equal(bought.body.response_code, '00', bought.text);
      cards = bought.body.data.cards;
      assert.equal((await gateway.call('POST', fundingAccount, { body: registration })).status, 200);
    }
    const both = { OJA_ENCRYPTION_KEY: newKey, OJA_ENCRYPTION_KEYS_OLD: oldKey };
    {
      await using gateway = await startGateway({ databaseUrl, dataDir, settings: both });
      const look = () => gateway.call('GET', `${orders}/${body.request_id}`);
      assert.deepEqual((await look()).body.data.cards, cards);
      const early = await runOja({ DATABASE_URL: databaseUrl, OJA_ENCRYPTION_KEY: newKey }, [
        'key',
        'rotate',
        '--yes',
      ]);
      assert.notEqual(early.code, 0, 'without the old key nothing can be sealed again');
      const ran = await runOja({ DATABASE_URL: databaseUrl, ...both }, [
        'key',
        'rotate',
        '--yes',
        '--actor',
        'ada',
      ]);
      assert.equal(ran.code, 0, ran.err);
      assert.deepEqual((await look()).body.data.cards, cards);
      const keys = await clone.database.query<{ key: string }>(
        `select key_id as key from sealed_goods
         union
         select split_part(sealed, ':', 1) from funding_identities
         union
         select split_part(value, ':', 1) from settings where name = 'credential_pepper'`,
      );
      assert.equal(keys.length, 1);
    }
    await using gateway = await startGateway({
      databaseUrl,
      dataDir,
      settings: { OJA_ENCRYPTION_KEY: newKey },
    });
    const found = await gateway.call('GET', `${orders}/${body.request_id}`);
    assert.deepEqual(found.body.data.cards, cards);
    await assertAudited(clone.database);
  });

  it('rotates the keys of identities and documents too', async () => {
    await using clone = await createTestDatabase();
    const databaseUrl = clone.connectionString;
    const oja = { DATABASE_URL: databaseUrl, OJA_ENCRYPTION_KEY: newKey };
    await using gateway = await startGateway({ databaseUrl, settings: { OJA_ENCRYPTION_KEY: oldKey } });
    const owner = { merchantId: await register(gateway), environment: 'test' } as const;
    const key = parseSealingKey(newKey);
    assert.ok(key);
    const sealer = createSealer(key);
    const identity = async (): Promise<string> =>
      (await clone.database.query<{ sealed: string }>('select sealed from funding_identities'))[0]?.sealed ??
      '';
    const before = await identity();
    assert.throws(() => openIdentity(sealer, owner, before), /invariant/);
    const ran = await runOja({ ...oja, OJA_ENCRYPTION_KEYS_OLD: oldKey }, ['key', 'rotate', '--yes']);
    assert.equal(ran.code, 0, ran.err);
    assert.equal(openIdentity(sealer, owner, await identity()).bvn, registration.bvn);
    const [kept] = await clone.database.query<{ sealed: string; key_id: string }>(
      'select sealed, key_id from funding_documents',
    );
    assert.equal(kept?.key_id, sealer.keyId);
    const place = `funding_documents/${owner.merchantId}/test/sealed`;
    const opened = Buffer.from(sealer.open(place, kept.sealed) ?? '', 'base64');
    assert.ok(opened.equals(document));
    const listed = await runOja(oja, ['key', 'list', '--json']);
    const keys: { table: string; present: boolean }[] = JSON.parse(listed.out).data;
    assert.deepEqual(
      keys.map((row) => [row.table, row.present]),
      [
        ['funding_documents', true],
        ['funding_identities', true],
        ['settings', true],
      ],
    );
    const { merchant } = gateway.credentials;
    const path = join(await mkdtemp(join(tmpdir(), 'oja-document-')), 'card.jpg');
    const show = ['funding', 'document', merchant, '--env', 'test', '--file', path, '--actor', 'ada'];
    const written = await runOja(oja, show);
    assert.equal(written.code, 0, written.err);
    assert.ok((await readFile(path)).equals(document));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal(
      (await runOja(oja, ['funding', 'forget-documents', '--days', '1', '--yes', '--json'])).out.includes(
        'test',
      ),
      false,
    );
    const gone = await runOja(oja, [
      'funding',
      'forget-documents',
      '--days',
      '0',
      '--merchant',
      merchant,
      '--yes',
    ]);
    assert.match(gone.out, new RegExp(`\\b${merchant}\\b`));
    assert.equal((await runOja(oja, show)).code, 1);
    const told = await clone.database.query(
      "select action from audit_log where action like 'funding.%document' order by id",
    );
    assert.deepEqual(told, [{ action: 'funding.reveal_document' }, { action: 'funding.forget_document' }]);
    await rm(join(path, '..'), { recursive: true });
    const shown = await runOja(oja, ['funding', 'show', gateway.credentials.merchant]);
    assert.match(shown.out, /bvn test +\*{9}26\n/);
    assert.ok(!shown.out.includes(registration.bvn) && !gateway.output().includes(registration.bvn));
  });

  it('opens goods for operators only on request, with an audit entry', async () => {
    await using clone = await createTestDatabase();
    const settings = { DATABASE_URL: clone.connectionString, OJA_ENCRYPTION_KEY: oldKey };
    await using gateway = await startGateway({
      databaseUrl: clone.connectionString,
      settings: { OJA_ENCRYPTION_KEY: oldKey },
    });
    const reference = newReference();
    const bought = await gateway.call('POST', orders, { body: { request_id: reference, plan_id: 300002 } });
    const number = bought.body.data.cards[0].card_number;
    const entries = async (): Promise<number> =>
      (await clone.database.query("select from audit_log where action = 'purchase.reveal_goods'")).length;
    const masked = await runOja(settings, ['purchase', 'show', reference]);
    assert.equal(masked.code, 0, masked.err);
    assert.ok(masked.out.includes('sealed') && !masked.out.includes(number));
    const told = (label: string): string | undefined =>
      new RegExp(`^${label} +(.*)$`, 'm').exec(masked.out)?.[1];
    const title = bought.body.data.product_title;
    const named = ['Product', 'Title', 'Quantity', 'Unit value'].map(told);
    assert.deepEqual(named, ['GIFTCARD 300002', title, '1', '25.00 USD']);
    const json = await runOja(settings, ['purchase', 'show', reference, '--json']);
    const {
      title: jsonTitle,
      quantity,
      unit_value: value,
      unit_currency: currency,
    } = JSON.parse(json.out).data;
    assert.deepEqual([jsonTitle, quantity, value, currency], [title, 1, '25.00', 'USD']);
    assert.equal(await entries(), 0);
    const shown = await runOja(settings, ['purchase', 'reveal', reference, '--actor', 'ada']);
    assert.ok(shown.out.includes(number), shown.out);
    assert.equal(await entries(), 1);
    const listed = await runOja(settings, [
      'audit-log',
      'list',
      '--action',
      'purchase.reveal_goods',
      '--json',
    ]);
    const [entry, ...others] = JSON.parse(listed.out).data;
    assert.deepEqual(
      [entry.actor, entry.subject, others.length],
      ['ada', `purchase:${bought.body.data.internal_reference}`, 0],
    );
    const table = await runOja(settings, ['audit-log', 'list', '--by', 'ada']);
    assert.match(table.out, /^ *ID +AT +ACTOR .*\n.* ada +user:\S+ .*purchase\.reveal_goods +purchase:/);
    assert.match(
      (await runOja(settings, ['audit-log', 'list', '--by', 'eve'])).out,
      /^(?!.*purchase\.reveal_goods)/s,
    );
    const refused = await runOja(settings, ['audit-log', 'list', '--limit', '0']);
    assert.equal(refused.code, 2);
    assert.ok(!gateway.output().includes(number));
    const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
    assert.ok(!metrics.includes(number));
  });
});
