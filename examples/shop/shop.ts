/**
 * A small shop that sells airtime and electricity. It may be killed at any moment. An order is on
 * disk before it is bought, with the reference of its purchase, and is queried until it is final.
 * The outcome of an order and its effects are stored in one transaction, once.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import {
  DuplicateReferenceError,
  InvalidRequestError,
  NotFoundError,
  Oja,
  PermissionError,
  type PurchaseAnswer,
  WebhookVerificationError,
  webhooks,
} from 'oja-client';

const { OJA_URL = '', OJA_KEY = '', OJA_SECRET = '', OJA_MERCHANT = 'DEMO' } = process.env;
const { SHOP_FILE = 'shop.db', SHOP_PORT = '3000' } = process.env;
/** Where the gateway reaches this shop. */
const { SHOP_URL = `http://127.0.0.1:${SHOP_PORT}` } = process.env;

const oja = new Oja({ key: OJA_KEY, secret: OJA_SECRET, merchant: OJA_MERCHANT, baseUrl: OJA_URL });

// The books. `full`: committed data is on the disk.
const db = new DatabaseSync(SHOP_FILE);
db.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists orders (
    id text primary key, -- is the request_ref
    product text not null, network text not null, customer text not null, kobo integer not null,
    state text not null default 'open', token text, told_by text
  );
  create table if not exists money (
    order_id text not null, kind text not null, kobo integer not null, primary key (order_id, kind)
  );
  create table if not exists notes (name text primary key, value text not null);
`);

type Order = {
  readonly id: string;
  readonly product: 'airtime' | 'electricity';
  readonly network: string;
  /** The number or the meter. */
  readonly customer: string;
  readonly kobo: number;
};
type Teller = 'answer' | 'status' | 'webhook' | 'refusal';

function inTransaction<T>(work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

/** The customer has paid. A repeat of the same order changes nothing and returns false. */
function takeOrder({ id, product, network, customer, kobo }: Order): boolean {
  return inTransaction(() => {
    const { changes } = db
      .prepare('insert or ignore into orders (id, product, network, customer, kobo) values (?, ?, ?, ?, ?)')
      .run(id, product, network, customer, kobo);
    if (changes === 1) db.prepare("insert into money values (?, 'paid', ?)").run(id, kobo);
    return changes === 1;
  });
}

/** An outcome is final: a second report changes nothing, but may bring a late token. */
function endOrder(id: string, state: 'success' | 'failed', by: Teller, token: string | undefined): void {
  inTransaction(() => {
    const { changes } = db
      .prepare("update orders set state = ?, told_by = ? where id = ? and state = 'open'")
      .run(state, by, id);
    if (changes === 1 && state === 'failed') {
      db.prepare("insert into money select id, 'paid back', -kobo from orders where id = ?").run(id);
    }
    if (token !== undefined) db.prepare('update orders set token = ? where id = ?').run(token, id);
  });
}

/** Orders that this process is busy with. */
const busy = new Set<string>();
/** Errors of a repeated request: the first one may still arrive. */
const refusedAgain = new Set<string>();

/** Buys an order, or queries its outcome. Pending orders are queried again. */
async function work(order: Order, isNew: boolean): Promise<void> {
  if (busy.has(order.id)) return;
  busy.add(order.id);
  try {
    if (isNew || !(await askFor(order))) await buy(order);
  } catch (error) {
    if (error instanceof DuplicateReferenceError) return; // bought before: ask next time
    if (error instanceof InvalidRequestError || error instanceof PermissionError) {
      console.error(`${order.id} is refused: ${error.message}`);
      // Refunds a customer only after a second lookup has not found the purchase either.
      if (isNew || refusedAgain.has(order.id)) endOrder(order.id, 'failed', 'refusal', undefined);
      else refusedAgain.add(order.id);
    } else console.error(`${order.id} stays open: ${error}`);
  } finally {
    busy.delete(order.id);
  }
}

async function buy({ id, product, network, customer, kobo }: Order): Promise<void> {
  const common = { msisdn: customer, amount: (kobo / 100).toFixed(2), request_ref: id };
  const { status, data }: PurchaseAnswer =
    product === 'airtime'
      ? await oja.airtime.buyAsync({ ...common, network: network as MobileNetwork })
      : await oja.purchases.create({
          ...common,
          product: 'ELECTRICITY',
          network,
          plan_code: await planOf(network),
        });
  if (status !== 'pending') endOrder(id, status, 'answer', data.token);
}

/** The gateway refuses any other name. */
type MobileNetwork = 'mtn' | 'glo' | 'airtel' | '9mobile';

/** The prepaid plan of an electricity company. */
async function planOf(network: string): Promise<string> {
  const { data } = await oja.plans.bills('electricity', { network });
  const plan = data.find(({ name }) => /prepaid/i.test(name));
  if (plan === undefined) throw new InvalidRequestError(`${network} has no prepaid plan`);
  return String(plan.id);
}

/** False: the gateway does not have it. */
async function askFor({ id }: Order): Promise<boolean> {
  try {
    const { state, payload } = await oja.purchases.status(id);
    if (state !== 'pending') endOrder(id, state, 'status', payload.token);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** Every two seconds: pending orders, and meters whose token is late. */
async function lookAfterOrders(): Promise<void> {
  for (;;) {
    const left = db
      .prepare(
        "select id, product, network, customer, kobo from orders where state = 'open' or (state = 'success' and product = 'electricity' and token is null)",
      )
      .all() as unknown as Order[];
    for (let next = 0; next < left.length; next += 20) {
      await Promise.all(left.slice(next, next + 20).map((order) => work(order, false)));
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

let secret = note('webhook secret');

function note(name: string): string | undefined {
  const row = db.prepare('select value from notes where name = ?').get(name);
  return row === undefined ? undefined : String(row.value);
}

/**
 * If it was killed after creating the endpoint and before storing its secret, the shop rotates the
 * secret.
 */
async function openEndpoint(): Promise<void> {
  const url = `${SHOP_URL}/webhooks`;
  while (secret === undefined) {
    try {
      const mine = (await oja.endpoints.list()).data.find((endpoint) => endpoint.url === url);
      const events = ['transaction.success' as const, 'transaction.failed' as const];
      const { data } =
        mine === undefined
          ? await oja.endpoints.create({ url, events, include_goods: true })
          : await oja.endpoints.rotate(mine.id);
      db.prepare("insert or replace into notes values ('webhook secret', ?)").run(data.secret);
      secret = data.secret;
    } catch (error) {
      console.error(`no webhooks yet: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function takeWebhook(body: Uint8Array, headers: IncomingMessage['headers']): Promise<number> {
  if (secret === undefined) return 503;
  const event = await webhooks.unwrap(body, headers, secret);
  if (event.type === 'transaction.success' || event.type === 'transaction.failed') {
    const { state, payload } = event.data;
    if (state !== 'pending') endOrder(payload.request_id, state, 'webhook', payload.token);
  }
  return 200;
}

function readOrder(text: string): Order | undefined {
  const { id, product, network, customer, kobo } = JSON.parse(text) as Order;
  const isOrder =
    [id, network, customer].every((field) => typeof field === 'string' && /^\S.{0,60}$/.test(field)) &&
    (product === 'airtime' || product === 'electricity') &&
    Number.isSafeInteger(kobo) &&
    kobo > 0;
  return isOrder ? { id, product, network, customer, kobo } : undefined;
}

type Answer = { readonly status: number; readonly body: unknown };

async function answer({ method, url = '', headers }: IncomingMessage, body: Uint8Array): Promise<Answer> {
  if (method === 'POST' && url === '/webhooks') return { status: await takeWebhook(body, headers), body: {} };
  if (method === 'POST' && url === '/orders') {
    const order = readOrder(new TextDecoder().decode(body));
    if (order === undefined) return { status: 400, body: { error: 'not an order' } };
    if (takeOrder(order)) void work(order, true);
    return { status: 202, body: { id: order.id } };
  }
  if (method === 'GET' && url === '/books') {
    const orders = db.prepare('select * from orders').all();
    return { status: 200, body: { orders, money: db.prepare('select * from money').all() } };
  }
  return { status: 404, body: { error: 'POST /orders, POST /webhooks or GET /books' } };
}

async function answerOrRefuse(request: IncomingMessage, body: Uint8Array): Promise<Answer> {
  try {
    return await answer(request, body);
  } catch (error) {
    const isTheirs = error instanceof WebhookVerificationError || error instanceof SyntaxError;
    return { status: isTheirs ? 400 : 500, body: { error: isTheirs ? error.message : 'try again' } };
  }
}

const server = createServer((request, response) => {
  const chunks: Uint8Array[] = [];
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  request.on('end', async () => {
    const { status, body } = await answerOrRefuse(request, Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
server.listen(Number(SHOP_PORT), '127.0.0.1', () => console.log(`the shop is open on ${SHOP_URL}`));
void openEndpoint();
void lookAfterOrders();
