/**
 * Shared parts of tests through the public interface: a gateway for the file, audited at its end,
 * and purchases to send to it.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { allReasons, type Reason, reasons } from '../../src/api/plumbing/reasons.ts';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { environments } from '../../src/core/environment.ts';
import { billProducts, orderProducts } from '../../src/core/products/product.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { setFunding } from '../../src/funding/operations/set-funding.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import {
  type Answer,
  type CallOptions,
  type Gateway,
  type GatewayOptions,
  startGateway,
  withCredentials,
} from '../support/gateway.ts';
import { quickSettings } from '../support/quick-settings.ts';
import { endWithSharing } from '../support/shared-by-files.ts';
import { until } from '../support/until.ts';
import { openShop } from './shop.ts';

/** The settings of a gateway under test. One that sets a time scale has the defaults otherwise. */
function settingsOf({ settings }: GatewayOptions): Readonly<Record<string, string>> {
  return settings?.OJA_TIME_SCALE === undefined ? { ...quickSettings(10), ...settings } : settings;
}

/**
 * A gateway for the tests of a file. After the last test its books must be in order, and it must
 * stop on request.
 */
export async function openGatewayUnderTest(options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await startGateway({ ...options, settings: settingsOf(options) });
  after(async () => {
    await using _ = gateway;
    await assertAudited(gateway.database);
    const exit = await gateway.stop();
    assert.deepEqual(exit, { code: 0, signal: null }, gateway.output());
  });
  return gateway;
}

const DEMO = 'DEMO';
/** In kobo: the initial balance of the demo's merchant. */
const DEMO_BALANCE = 1_000_000_000n;

let shared: Promise<Gateway> | undefined;

/** The merchant of the file's purchases. Merchants with higher ids also belong to the file. */
let merchant = DEMO;
let ownMerchantId = 0;

/**
 * A gateway with default settings, which the files of a process share. Each file has its own
 * merchant in place of the demo's, with the same products and separate money. A file that changes
 * catalogs, routes or common settings has its own gateway.
 */
export async function openSharedGateway(): Promise<Gateway> {
  const gateway = await started();
  const shop = await openShop(gateway, { name: 'Demo Merchant', balance: DEMO_BALANCE });
  await gateway.database.transaction((tx) => enableAll(tx, shop.code));
  merchant = shop.code;
  ownMerchantId = shop.id;
  after(async () => {
    merchant = DEMO;
    ownMerchantId = 0;
    await assertAudited(gateway.database);
  });
  return withCredentials(gateway, { merchant, test: shop.test, live: shop.live });
}

/**
 * Node's runner attributes code after an `await` to the test that made the promise. This promise is
 * made in each file, so that the hooks above are hooks of that file.
 */
function started(): Promise<Gateway> {
  shared ??= startShared();
  const starting = shared;
  return new Promise((resolve, reject) => {
    starting.then(resolve, reject);
  });
}

async function startShared(): Promise<Gateway> {
  const gateway = await startGateway({ settings: settingsOf({}) });
  endWithSharing(() => {
    shared = undefined;
    return gateway[Symbol.asyncDispose]();
  });
  return gateway;
}

async function enableAll(tx: Tx, merchantCode: string): Promise<void> {
  for (const environment of environments) {
    for (const product of [...billProducts, ...orderProducts]) {
      await setProduct(tx, { merchantCode, environment, product, enabled: true }, 'test');
    }
    await setFunding(tx, { merchantCode, environment, currency: 'NGN', enabled: true }, 'test');
  }
}

export async function assertAudited(database: Database): Promise<void> {
  const { checks } = await auditPurchases(database);
  assert.ok(checks.length > 5);
  assert.deepEqual(
    checks.filter((check) => !check.ok),
    [],
  );
}

let references = 0;

/** A reference that no other test uses. */
export function newReference(): string {
  references += 1;
  return `ref-${process.pid}-${references}`;
}

let numbers = 0;

/** A mobile number that no other test of the file uses. */
export function newNumber(): string {
  numbers += 1;
  return `0803${String(1_000_000 + numbers)}`;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The code of the file's merchant: the demo's unless the file shares a gateway. */
export function merchantCode(): string {
  return merchant;
}

/** The id of the file's merchant, where the file shares a gateway. */
export function merchantId(): number {
  return ownMerchantId;
}

/** A valid purchase of airtime. `fields` override its fields. */
export function airtime(fields: Fields = {}): Record<string, unknown> {
  return {
    merchant,
    msisdn: '08031234567',
    network: 'mtn',
    amount: '100.00',
    request_ref: newReference(),
    ...fields,
  };
}

/** A valid purchase of data. `fields` override its fields. */
export function data(fields: Fields = {}): Record<string, unknown> {
  return airtime({ plan_code: 'MTN-1', ...fields });
}

export const airtimeSync = '/v1/transactions/airtime/sync';
export const airtimeAsync = '/v1/transactions/airtime/async';
export const dataSync = '/v1/transactions/data/sync';
export const dataAsync = '/v1/transactions/data/async';
export const anyProduct = '/v1/transactions';

/** Polls until it finds something. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  return await until(what, look);
}

export function statusOf(gateway: Gateway, reference: unknown, as?: CallOptions['as']): Promise<Answer> {
  const path = `/v1/transactions/status?request_ref=${encodeURIComponent(String(reference))}`;
  return gateway.call('GET', path, as === undefined ? {} : { as });
}

/**
 * Delays the worker's query by an hour, so that only the test ends the purchase. It must have been
 * sent, and not be final.
 */
export async function putOffQuestions(gateway: Gateway, purchaseId: unknown): Promise<void> {
  await eventually('its next question is put off', async () => {
    const rows = await gateway.database.query(
      `update pending_purchases
       set due_at = now() + interval '1 hour'
       where purchase_id = $1
       and step = 'query'
       and owner is null
       returning purchase_id`,
      [purchaseId],
    );
    return rows.length === 1 ? true : undefined;
  });
}

/** The same by the reference of a pending purchase. Returns its id. */
export async function putOffQuestionsOf(gateway: Gateway, reference: unknown): Promise<string> {
  const id = await eventually(`${reference} is stored`, async () => {
    const [row] = await gateway.database.query<{ id: string }>(
      'select id from purchases where reference = $1',
      [reference],
    );
    return row?.id;
  });
  await putOffQuestions(gateway, id);
  return id;
}

/** The status answer of a purchase once it is final. */
export async function untilFinal(
  gateway: Gateway,
  reference: unknown,
  as?: CallOptions['as'],
): Promise<Answer> {
  return await eventually(`${reference} is final`, async () => {
    const answer = await statusOf(gateway, reference, as);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.code === '02' ? undefined : answer;
  });
}

export type Wallet = {
  readonly balance: string;
  readonly held: string;
  readonly available: string;
};

export async function walletOf(gateway: Gateway, as?: CallOptions['as']): Promise<Wallet> {
  const answer = await gateway.call('GET', '/v1/wallet/balance', as === undefined ? {} : { as });
  assert.equal(answer.status, 200, answer.text);
  const { balance, held, available } = answer.body.result;
  return { balance, held, available };
}

/**
 * The counts of all that a purchase stores, and all money: a refused request must not change them.
 */
export async function footprint(database: Database): Promise<object> {
  const [row] = await database.query(
    `
    select
      (select count(*) from purchases where merchant_id >= $1) as purchases,
      (select count(*) from attempts where merchant_id >= $1) as attempts,
      (select count(*) from pending_purchases where merchant_id >= $1) as pending,
      (select count(*) from purchase_outcomes where merchant_id >= $1) as outcomes,
      (select count(*) from provider_answers where merchant_id >= $1) as answers,
      (select count(*) from transfers where merchant_id >= $1) as transfers,
      (
        -- A job moves them from one to the other.
        select coalesce(sum(count), 0)::bigint
        from (
          select count from purchase_counts where merchant_id >= $1
          union all
          select count from purchase_count_deltas where merchant_id >= $1
        ) as counts
      ) as counted,
      (select sum(posted)::bigint from wallets where merchant_id >= $1) as posted,
      (select sum(held)::bigint from wallets where merchant_id >= $1) as held`,
    [ownMerchantId],
  );
  assert.ok(row);
  return row;
}

/** An expected refusal: a field that it names, and the reason. */
export type RefusedFor = { readonly field?: string | undefined; readonly reason?: Reason | undefined };

/**
 * Fails unless `answer` is an error in the common format, with a documented reason. `told` is a
 * field that it names, or a field and a reason. A reason with a field belongs to the field.
 */
export function assertRefused(answer: Answer, status: number, told: string | RefusedFor = {}): void {
  const { field, reason } = typeof told === 'string' ? { field: told, reason: undefined } : told;
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  const { body } = answer;
  assert.equal(body.status, 'error');
  assert.equal(body.code, status);
  assert.ok(isListed(body.reason, status), answer.text);
  assert.ok(typeof body.message === 'string' && body.message.length > 5, answer.text);
  assert.ok(!/\n|\bat \/|\.ts\b|select |insert |constraint|postgres|stack/i.test(answer.text), answer.text);
  const faults: { field: string; reason: unknown; message: string }[] = body.errors ?? [];
  assert.ok(
    faults.every((fault) => fault.field !== '' && fault.message !== '' && isListed(fault.reason)),
    answer.text,
  );
  if (field === undefined) {
    if (reason !== undefined) assert.equal(body.reason, reason, answer.text);
    return;
  }
  const named = faults.filter((fault) => fault.field === field);
  assert.ok(named.length > 0, `${field}: ${answer.text}`);
  if (reason !== undefined)
    assert.ok(
      named.some((fault) => fault.reason === reason),
      answer.text,
    );
}

function isListed(reason: unknown, status?: number): boolean {
  const listed = allReasons.find((one) => one === reason);
  if (listed === undefined) return false;
  const statuses: readonly number[] = reasons[listed].statuses;
  return status === undefined || statuses.includes(status);
}
