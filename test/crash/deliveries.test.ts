/**
 * A gateway that is killed while it sends an order to its customer: the customer gets it at most
 * once, and an alarm is raised. The proof also sends without a crash.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { newId } from '../../src/core/ids.ts';
import { newSealingKey, seal } from '../../src/core/sealing.ts';
import type { Database } from '../../src/db/database.ts';
import { type Destination, sealDestination } from '../../src/notifications/messages/destination.ts';
import { goodsPlace } from '../../src/purchases/engine/sealed-goods.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../purchases/fixture.ts';
import { itInProof } from '../support/budget.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture, temporaryFolder } from './fixture.ts';

const key = newSealingKey();
const sealWith = (place: string, plain: string): string => seal(key, place, plain);
const settings = { OJA_ENCRYPTION_KEY: key.bytes.toString('hex'), OJA_LOG_LEVEL: 'trace' };
const card = { card_number: '6011-SECRET-CARD', pin: '4321-PIN' };

/** An order that a provider delivered, to be sent to the customer. Returns its id. */
async function deliveredOrder(database: Database, destination: Destination): Promise<string> {
  const buyer = await openBuyer(database, 1_000_000n);
  const id = newId();
  const delivery = sealDestination(destination, id, sealWith);
  const item = purchase(buyer, 10_000n, {
    id,
    product: 'GIFTCARD',
    network: 'GIFTCARD',
    mode: 'order',
    details: { goodsOwed: 'cards' },
    delivery,
  });
  await accept(database, item);
  const sealed = sealWith(goodsPlace(id), JSON.stringify({ cards: [card] }));
  await database.query(
    'insert into sealed_goods (merchant_id, purchase_id, key_id, sealed) values ($1, $2, $3, $4)',
    [buyer.merchantId, id, key.id, sealed],
  );
  assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success')), ['done success']);
  return id;
}

async function stateOf(fixture: Fixture, id: string): Promise<string> {
  const [row] = await fixture.database.query<{ state: string }>(
    'select state from deliveries where purchase_id = $1',
    [id],
  );
  return row?.state ?? 'none';
}

async function texts(fixture: Fixture): Promise<string[]> {
  const book = await (await fetch(`${fixture.simulator.url}/messages`)).text();
  return book
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text);
}

const sms: Destination = { channel: 'sms', address: '2348031234567' };

describe('a crash while an order is sent to its customer', { concurrency: 2 }, () => {
  for (const { point, sent, register } of [
    { point: 'before-delivery', sent: 0, register: itInProof },
    { point: 'after-delivery', sent: 1, register: it },
  ] as const) {
    register(`${point}: it was sent ${sent} times and is not sent again`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ ...settings, OJA_STOP_AT: point });
      const id = await deliveredOrder(fixture.database, sms);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal(await stateOf(fixture, id), 'sending');
      assert.equal((await texts(fixture)).length, sent);
      // The lease of the dead process expires.
      await fixture.database.query('update deliveries set due_at = now() where due_at is not null');
      const next = await fixture.start(settings);
      await until('the delivery is unknown', async () => (await stateOf(fixture, id)) === 'unknown');
      const another = await deliveredOrder(fixture.database, sms);
      await until('another is sent', async () => (await stateOf(fixture, another)) === 'sent');
      assert.equal((await texts(fixture)).length, sent + 1);
      assert.equal(await stateOf(fixture, id), 'unknown');
      const alarms = await fixture.database.query(
        "select 1 from alarms where kind = 'delivery' and purchase_id = $1",
        [id],
      );
      assert.equal(alarms.length, 1);
      const said = doomed.output() + next.output();
      for (const secret of [card.card_number, card.pin, sms.address]) assert.ok(!said.includes(secret));
    });
  }

  itInProof('without a crash a customer gets it once: as a message, or as a file of the demo', async () => {
    await using fixture = await openFixture();
    const dataDir = await temporaryFolder();
    const gateway = await fixture.start({ ...settings, OJA_DATA_DIR: dataDir });
    const [phone, mail] = [
      await deliveredOrder(fixture.database, { channel: 'whatsapp', address: '2348031234567' }),
      await deliveredOrder(fixture.database, { channel: 'email', address: 'ada@example.com' }),
    ];
    for (const id of [phone, mail]) {
      await until('it is sent', async () => (await stateOf(fixture, id)) === 'sent');
    }
    const [text, ...others] = await texts(fixture);
    assert.deepEqual(others, []);
    assert.ok(text?.includes(card.card_number) && text.includes(card.pin));
    const eml = await readFile(join(dataDir, 'outbox', `${mail}.eml`), 'utf8');
    assert.match(eml, /^To: ada@example\.com\r$/m);
    assert.ok(eml.includes(card.pin));
    for (const secret of [card.card_number, card.pin, 'ada@']) assert.ok(!gateway.output().includes(secret));
  });
});
