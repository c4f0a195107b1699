/**
 * Deliveries to customers, from the transaction that makes an order a success: each is sent once,
 * despite crashes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import { startJobs } from '../../../src/core/run-jobs.ts';
import { newSealingKey, open, seal } from '../../../src/core/sealing.ts';
import type { DeliverableOrder } from '../../../src/notifications/messages/compose-message.ts';
import {
  createDeliveryWork,
  type DeliveryOptions,
} from '../../../src/notifications/messages/deliver-orders.ts';
import {
  claimDeliveries,
  listDeliveries,
  settleDelivery,
} from '../../../src/notifications/messages/delivery-store.ts';
import { type Destination, sealDestination } from '../../../src/notifications/messages/destination.ts';
import type { Message, Messenger, SendOutcome } from '../../../src/notifications/messages/messenger.ts';
import { retryDelivery } from '../../../src/notifications/messages/operations/retry-delivery.ts';
import { readDeliverableOrder } from '../../../src/notifications/messages/read-order.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect, ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import { goodsPlace } from '../../../src/purchases/engine/sealed-goods.ts';
import { accept, answer, assertAudited, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { refusedAct } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 100_000_000n);
const key = newSealingKey();
const email: Destination = { channel: 'email', address: 'ada@example.com' };
const card = { card_number: '6011-SECRET-CARD', pin: '4321-PIN' };

/** The details that make a purchase an order of cards. */
const ofCards = {
  product: 'GIFTCARD',
  network: 'GIFTCARD',
  mode: 'order',
  details: { goodsOwed: 'cards' },
} as const satisfies Partial<AcceptItem>;

/** An accepted order with a delivery address. */
async function ordered(destination = email): Promise<AcceptItem> {
  const id = newId();
  const delivery = sealDestination(destination, id, (place, plain) => seal(key, place, plain));
  const item = purchase(buyer, 10_000n, { ...ofCards, id, delivery });
  // The field that the test adds to a purchase must belong to this purchase.
  assert.equal(item.id, id);
  assert.equal((await accept(database, item))[0]?.kind, 'accepted');
  return item;
}

function sealedCards(purchaseId: string): string {
  return seal(key, goodsPlace(purchaseId), JSON.stringify({ cards: [card] }));
}

type Success = Extract<ResolveEffect, { kind: 'succeed' }>;

function success(item: AcceptItem, over: Partial<Success> = {}): ResolveItem {
  const plain = answer(buyer, item, 'success');
  // Owed goods are missing at first; all others are sealed.
  const brought = over.goodsDueMs === undefined ? { sealed: sealedCards(item.id) } : {};
  return { ...plain, source: 'query', effect: { ...plain.effect, ...brought, ...over } as Success };
}

async function delivered(destination = email): Promise<AcceptItem> {
  const item = await ordered(destination);
  assert.deepEqual(await resolveWords(database, success(item)), ['done success']);
  return item;
}

type Row = { state: string; tries: number; code: string | null; due: boolean; wait_ms: number | null };

async function rowOf(item: AcceptItem): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    `select
       state,
       tries,
       code,
       due_at <= now() as due,
       (extract(epoch from due_at - now()) * 1000)::integer as wait_ms
     from deliveries
     where purchase_id = $1`,
    [item.id],
  );
  return row;
}

async function stateOf(item: AcceptItem): Promise<string | undefined> {
  return (await rowOf(item))?.state;
}

async function alarmsOf(item: AcceptItem): Promise<number> {
  return (
    await database.query('select 1 from alarms where purchase_id = $1 and kind = $2', [item.id, 'delivery'])
  ).length;
}

/** Items of one test must not be claimed by the next. */
async function clear(): Promise<void> {
  await database.query("update deliveries set state = 'given_up', due_at = null where due_at is not null");
}

type Carrier = Messenger & { readonly messages: Message[] };

function carrier(...outcomes: readonly (SendOutcome['kind'] | 'throws')[]): Carrier {
  const messages: Message[] = [];
  return {
    name: 'carrier',
    channels: new Set(['email', 'sms', 'whatsapp'] as const),
    messages,
    send: (message) => {
      const kind = outcomes[messages.length] ?? 'sent';
      messages.push(message);
      return kind === 'throws'
        ? Promise.reject(new Error(`cannot send ${message.text} to ${message.to}`))
        : Promise.resolve({ kind, code: kind, note: `it said ${kind}` });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const order: DeliverableOrder = {
  kind: 'cards',
  merchantName: 'Mama Put',
  reference: 'r-1',
  title: 'Amazon US 25 USD',
  cards: [card],
  instructions: undefined,
};

function work(messenger: Messenger | undefined, over: Partial<DeliveryOptions> = {}): AsyncDisposable {
  const options = {
    sql: database,
    messengerOf: () => messenger,
    readOrder: () => Promise.resolve(order),
    open: (place: string, sealed: string) => open(key, place, sealed),
    clock: systemClock,
    log: createLog('silent'),
    failpoints: noFailpoints,
    onTried: () => undefined,
    ...over,
  };
  const job = { name: 'deliveries', role: 'all', everyMs: 20, failure: 'failed' } as const;
  return startJobs([{ ...job, ...createDeliveryWork(options) }], { ...options, role: 'all' });
}

async function settled(item: AcceptItem, state: string): Promise<void> {
  await until(`the delivery is ${state}`, async () => (await stateOf(item)) === state);
}

/** The pause before the next try is over. */
async function queryNow(item: AcceptItem): Promise<void> {
  await database.query("update deliveries set due_at = now() where purchase_id = $1 and state = 'due'", [
    item.id,
  ]);
}

test('makes a successful order due at once, and a repeated outcome changes nothing', async () => {
  const item = await ordered();
  assert.equal(await stateOf(item), 'waiting');
  assert.deepEqual(await resolveWords(database, success(item)), ['done success']);
  assert.deepEqual([await stateOf(item), (await rowOf(item))?.due], ['due', true]);
  await clear();
  assert.deepEqual(await resolveWords(database, success(item)), ['repeat success']);
  assert.equal(await stateOf(item), 'given_up');
  await assertAudited(database);
});

test('does not send a failed or pending order', async () => {
  const failed = await ordered();
  assert.deepEqual(await resolveWords(database, answer(buyer, failed, 'failed')), ['done failed']);
  assert.equal(await stateOf(failed), 'cancelled');
  const waits = await ordered();
  assert.deepEqual(await resolveWords(database, answer(buyer, waits, 'unknown')), ['waiting']);
  assert.equal(await stateOf(waits), 'waiting');
  await using _ = work(carrier());
  assert.deepEqual(await claimDeliveries(database, { limit: 50, leaseMs: 1_000 }), []);
});

test('has no delivery for an order that was never accepted', async () => {
  const broke = await openBuyer(database, 1n);
  const id = newId();
  const delivery = sealDestination(email, id, (place, plain) => seal(key, place, plain));
  const item = purchase(broke, 10_000n, { ...ofCards, id, delivery });
  assert.equal((await accept(database, item))[0]?.kind, 'insufficient');
  assert.equal(await rowOf(item), undefined);
});

for (const [answered, state] of [
  ['success', 'due'],
  ['failed', 'cancelled'],
] as const) {
  test(`a delivery becomes ${state} when its order is a ${answered}`, async () => {
    const item = await ordered();
    const word = answered === 'success' ? success(item) : answer(buyer, item, 'failed');
    assert.deepEqual(await resolveWords(database, word), [`done ${answered}`]);
    assert.equal(await stateOf(item), state);
    await clear();
  });
}

test('makes an order with late cards due when they arrive', async () => {
  const item = await ordered();
  assert.deepEqual(await resolveWords(database, success(item, { goodsDueMs: 0 })), ['done success']);
  assert.equal(await stateOf(item), 'waiting');
  assert.deepEqual(await resolveWords(database, success(item, { goodsDueMs: 0 })), ['repeat success']);
  assert.equal(await stateOf(item), 'waiting');
  assert.deepEqual(await resolveWords(database, success(item)), ['repeat success']);
  assert.equal(await stateOf(item), 'due');
  await clear();
});

test('sends an order once to its address, with several workers', async () => {
  const items = [await delivered(), await delivered({ channel: 'sms', address: '2348031234567' })];
  const messenger = carrier();
  {
    await using _one = work(messenger);
    await using _two = work(messenger);
    for (const item of items) await settled(item, 'sent');
  }
  assert.deepEqual(messenger.messages.map(({ to }) => to).sort(), ['2348031234567', 'ada@example.com']);
  assert.ok(
    messenger.messages.every(
      ({ text, shortText }) => text.includes(card.pin) && shortText.includes(card.pin),
    ),
  );
  for (const item of items) assert.deepEqual([(await rowOf(item))?.tries, await alarmsOf(item)], [1, 0]);
  assert.ok(messenger.messages.every(({ id }) => items.some((item) => item.id === id)));
});

test('sends a live message while messages of test purchases use all places of their own', async () => {
  await clear();
  await database.query(
    `insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state, due_at)
     select $1, 'test', gen_random_uuid(), 'email', 'sealed', 'x', 'due', now() - interval '1 hour'
     from generate_series(1, 30)`,
    [buyer.merchantId],
  );
  const item = await delivered();
  const messenger = carrier();
  const silent = Promise.withResolvers<undefined>();
  {
    const readOrder: DeliveryOptions['readOrder'] = ({ environment }) =>
      environment === 'live' ? Promise.resolve(order) : silent.promise;
    await using _work = work(messenger, { readOrder, open: () => 'ada@example.com' });
    await settled(item, 'sent');
    const sending = "select 1 from deliveries where environment = 'test' and state = 'sending'";
    await until('test messages use all their places', async () => {
      const { length } = await database.query(sending);
      assert.ok(length <= 5);
      return length === 5;
    });
    silent.resolve(undefined);
  }
  await database.query("delete from deliveries where environment = 'test' and merchant_id = $1", [
    buyer.merchantId,
  ]);
});

test('retries an unsent message after a pause and finally gives up', async () => {
  const item = await delivered();
  const messenger = carrier(...Array.from({ length: 9 }, () => 'not_sent' as const));
  await using _ = work(messenger);
  const pauses: number[] = [];
  for (let tries = 1; tries <= 7; tries += 1) {
    const row = await until(`try ${tries}`, async () => {
      const now = await rowOf(item);
      return now?.tries === tries && now.state === 'due' ? now : undefined;
    });
    pauses.push(Math.round((row.wait_ms ?? 0) / 60_000));
    await queryNow(item);
  }
  await settled(item, 'given_up');
  assert.deepEqual(pauses, [1, 5, 15, 60, 240, 720, 1_080]);
  assert.equal(messenger.messages.length, 8);
  assert.equal(await alarmsOf(item), 1);
});

test('recovers from an outage', async () => {
  const item = await delivered();
  const messenger = carrier('not_sent', 'sent');
  await using _ = work(messenger);
  await until(
    'the first try',
    async () => (await rowOf(item))?.tries === 1 && (await stateOf(item)) === 'due',
  );
  await queryNow(item);
  await settled(item, 'sent');
  assert.deepEqual([messenger.messages.length, await alarmsOf(item)], [2, 0]);
});

test('does not resend a message that the carrier refused or may have accepted', async () => {
  const [refused, unknown, broken] = [await delivered(), await delivered(), await delivered()];
  const kinds = new Map([
    [refused.id, 'refused'],
    [unknown.id, 'unknown'],
    [broken.id, 'throws'],
  ] as const);
  const messages: Message[] = [];
  await using _ = work({
    ...carrier(),
    send: async (message) => {
      messages.push(message);
      return await carrier(kinds.get(message.id) ?? 'sent').send(message, AbortSignal.timeout(1_000));
    },
  });
  await settled(refused, 'refused');
  await settled(unknown, 'unknown');
  await settled(broken, 'unknown');
  const rows = JSON.stringify(await listDeliveries(database, { states: ['refused', 'unknown'], limit: 10 }));
  for (const secret of [card.pin, card.card_number, email.address]) assert.ok(!rows.includes(secret));
  assert.ok(rows.includes('a***@example.com'));
  assert.equal(messages.length, 3);
  // The merchant is notified of each, once.
  const events = await database.query<{ purchase_id: string; state: string }>(
    "select purchase_id, facts->>'state' as state from events where type = 'delivery.failed' and purchase_id = any($1::uuid[])",
    [[refused.id, unknown.id, broken.id]],
  );
  assert.deepEqual(
    new Map(events.map(({ purchase_id, state }) => [purchase_id, state])),
    new Map([
      [refused.id, 'refused'],
      [unknown.id, 'unknown'],
      [broken.id, 'unknown'],
    ]),
  );
  assert.equal(events.length, 3);
  assert.deepEqual([await alarmsOf(refused), await alarmsOf(unknown), await alarmsOf(broken)], [0, 1, 1]);
});

test('settles the try of a dead process as unknown, until the process stores its outcome', async () => {
  const [gone, slow] = [await delivered(), await delivered()];
  const claimed = await claimDeliveries(database, { limit: 10, leaseMs: 0 });
  assert.deepEqual(claimed.map(({ purchaseId }) => purchaseId).sort(), [gone.id, slow.id].sort());
  // Not even after its lease has expired.
  assert.deepEqual(await claimDeliveries(database, { limit: 10, leaseMs: 0 }), []);
  const messenger = carrier();
  await using _ = work(messenger);
  await settled(gone, 'unknown');
  await settled(slow, 'unknown');
  const late = claimed.find(({ purchaseId }) => purchaseId === slow.id);
  assert.ok(late);
  const word = {
    state: 'sent',
    pauseMs: undefined,
    code: 'ok',
    note: 'late',
    messageId: 'm-1',
    alarm: undefined,
  } as const;
  assert.equal(await settleDelivery(database, { ...late, leaseId: newId() }, word), false);
  assert.equal(await settleDelivery(database, late, word), true);
  assert.deepEqual(
    [await stateOf(slow), await stateOf(gone), messenger.messages.length],
    ['sent', 'unknown', 0],
  );
  assert.equal(await alarmsOf(gone), 1);
});

test('sends nothing without goods, a carrier or the right key, and retries later', async () => {
  const cases: readonly (readonly [string, Partial<DeliveryOptions>])[] = [
    ['no_goods', { readOrder: () => Promise.resolve(undefined) }],
    ['no_goods', { readOrder: () => Promise.resolve({ ...order, cards: [] }) }],
    ['no_goods', { readOrder: () => Promise.reject(new Error('the database is away')) }],
    ['no_messenger', { messengerOf: () => undefined }],
    ['sealed', { open: (place, sealed) => open(newSealingKey(), place, sealed) }],
  ];
  for (const [code, over] of cases) {
    const item = await delivered();
    const messenger = carrier();
    await using _ = work(messenger, over);
    await until('a try', async () => (await rowOf(item))?.code === code);
    assert.deepEqual([await stateOf(item), messenger.messages.length], ['due', 0]);
    await clear();
  }
});

test('resends for an operator, and a possibly sent message only with `again`', async () => {
  const item = await delivered();
  const messenger = carrier('unknown', 'not_sent', 'sent');
  await using _ = work(messenger);
  await settled(item, 'unknown');
  const purchase = { merchant_id: buyer.merchantId, id: item.id };
  const retry = (again: boolean): Promise<void> =>
    database.transaction((tx) => retryDelivery(tx, purchase, { again, actor: 'test' }));
  await assert.rejects(retry(false), refusedAct('delivery_doubtful'));
  await retry(true);
  await until(
    'the second try',
    async () => (await rowOf(item))?.tries === 2 && (await stateOf(item)) === 'due',
  );
  await retry(false);
  await settled(item, 'sent');
  await assert.rejects(retry(false), refusedAct('delivery_sent'));
  assert.equal(messenger.messages.length, 3);
  const entries = await database.query("select 1 from audit_log where action = 'delivery.retry'");
  assert.equal(entries.length, 2);
});

test('stores and logs no address and no card in clear', async () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });
  const items = [await delivered(), await delivered(), await delivered()];
  {
    await using _ = work(carrier('throws', 'not_sent', 'refused'), { log });
    for (const item of items) await until('a try', async () => (await rowOf(item))?.code !== null);
  }
  const [dump] = await database.query<{ rows: string }>('select json_agg(d)::text as rows from deliveries d');
  for (const secret of [card.pin, card.card_number, 'ada@']) {
    assert.ok(!lines.join('').includes(secret));
    assert.ok(!dump?.rows.includes(secret));
  }
  assert.ok(lines.length > 0);
});

test('describes a successful order by its title, value, merchant and reference', async () => {
  await database.query(`
    insert into gift_card_plans (plan_id, title, brand, region, ui_category, currency, face_value, min_price, max_price, position)
    values
      (7, 'Amazon US USD 25', 'Amazon', 'US', 'Shopping', 'USD', 2500, null, null, 1),
      (8, 'Amazon US USD 5 to 500', 'Amazon', 'US', 'Shopping', 'USD', null, 500, 50000, 2)`);
  const read = async (planCode: string, goods: Record<string, unknown> | undefined, decides = true) => {
    const details = {
      ...ofCards.details,
      item: { quantity: 1, unitPrice: '1250', currency: 'USD' },
    } as const;
    const item = purchase(buyer, 10_000n, { ...ofCards, planCode, details });
    await accept(database, item);
    if (decides) await resolveWords(database, success(item));
    const key = { merchantId: buyer.merchantId, environment: buyer.environment, purchaseId: item.id };
    const told = await readDeliverableOrder({ sql: database, openGoods: () => Promise.resolve(goods) }, key);
    assert.equal(told?.reference ?? item.reference, item.reference);
    return told;
  };
  const goods = { cards: [card], redemption_instructions: 'Go to the shop' };
  const fixed = await read('7', goods);
  assert.deepEqual(
    [fixed?.title, fixed?.merchantName, fixed?.cards, fixed?.instructions],
    ['Amazon US USD 25', 'Buyer', [card], 'Go to the shop'],
  );
  assert.equal((await read('8', goods))?.title, 'Amazon US USD 12.50');
  assert.equal((await read('9', goods))?.title, '');
  assert.equal(await read('7', undefined), undefined);
  assert.equal(await read('7', { reference_code: 'x' }), undefined);
  assert.equal(await read('7', goods, false), undefined);
});
