/**
 * Plays the history of a release whose database is kept as a fixture: each kind of purchase and of
 * money, operations, and at the end unfinished work of every kind, left by killed processes.
 */
import { payInto } from './bank.ts';
import { untilNothingPending } from './books.ts';
import type { Answer, Gateway, GatewayOptions } from './gateway.ts';
import { until } from './until.ts';

export type Stage = {
  /** Where the simulator sends the bank's notices. */
  readonly port: number;
  readonly simulatorUrl: string;
  start(settings?: GatewayOptions['settings']): Promise<Gateway>;
  /** Runs a command of that release and returns its data. */
  oja(...args: readonly string[]): Promise<Record<string, unknown>>;
};

type As = 'test' | 'live';
type Body = Readonly<Record<string, unknown>>;

const airtime = '/v1/transactions/airtime';
const networks = ['mtn', 'glo', 'airtel', '9mobile'];

/** Resolves with the last gateway, which claims no work from the queue, still running. */
export async function playHistory(stage: Stage): Promise<Gateway> {
  const port = { PORT: String(stage.port) };
  const whole = await stage.start(port);
  await operate(stage);
  await sell(whole);
  await fund(whole, stage);
  await sellVouchers(whole, stage);
  await sellLate(whole, stage);
  await untilFinal(whole);
  await whole.stop();
  for (const point of ['after-accept', 'after-call', 'before-resolve-commits']) {
    const doomed = await stage.start({ ...port, OJA_STOP_AT: point });
    await send(doomed, 'live', `${airtime}/sync`, purchase(`cut-${point}`, 7)).catch(() => undefined);
    await doomed.exited;
  }
  return await leaveUnderWay(stage, port);
}

/** Merchants, rates and prices, so that the audit log is not empty. */
async function operate({ oja }: Stage): Promise<void> {
  await oja('merchant', 'create', 'SHOP', 'Mama Put Stores');
  await oja('wallet', 'credit', 'SHOP', '250000', '--env', 'live', '--memo', 'first float');
  await oja('merchant', 'discount', 'DEMO', 'airtime', 'MTN', '2.5');
  await oja('merchant', 'floor', 'SHOP', '-5000', '--env', 'live');
  await oja('merchant', 'suspend', 'SHOP');
  await oja('merchant', 'resume', 'SHOP');
  await oja('fx', 'set', 'GBP', '2050.50');
}

async function sell(gateway: Gateway): Promise<void> {
  for (const as of ['test', 'live'] as const) {
    for (let n = 0; n < 24; n += 1) {
      const way = n % 2 === 0 ? 'sync' : 'async';
      await send(gateway, as, `${airtime}/${way}`, purchase(`airtime-${n}`, n));
    }
    await send(gateway, as, `${airtime}/sync`, { ...purchase('too-dear', 1), amount: '90000000' });
  }
  await misbehave(gateway, { fault: 'refused', recipient: '08030000099' });
  for (const way of ['sync', 'async']) {
    await send(gateway, 'live', `${airtime}/${way}`, purchase(`refused-${way}`, 99));
  }
  const plans = await send(gateway, 'live', '/v1/plans/mtn');
  const [plan] = plans.body.data;
  const data = { ...purchase('data-1', 4), plan_code: plan.plan_code, amount: plan.price };
  await send(gateway, 'live', '/v1/transactions/data/sync', data);
  await sellBills(gateway);
  await sellOrders(gateway);
}

async function sellBills(gateway: Gateway): Promise<void> {
  const electricity = await planOf(gateway, 'ELECTRICITY', 'EKEDC', 'variable');
  const betting = await planOf(gateway, 'BETTING', 'BET9JA', 'variable');
  const bill = (reference: string, body: Body): Promise<Answer> =>
    send(gateway, 'live', '/v1/transactions', { merchant: 'DEMO', request_ref: reference, ...body });
  await bill('meter-1', { product: 'ELECTRICITY', msisdn: '45010000001', amount: '5000', ...electricity });
  await bill('meter-2', { product: 'ELECTRICITY', msisdn: '45010000002', amount: '2500', ...electricity });
  const phone = '08035550101';
  await bill('bet-1', { product: 'BETTING', msisdn: '1234567', amount: '700', phone, ...betting });
  const test = { ...electricity, product: 'ELECTRICITY', msisdn: '10000000001', amount: '1000' };
  await send(gateway, 'test', '/v1/transactions', { merchant: 'DEMO', request_ref: 'meter-3', ...test });
}

async function planOf(gateway: Gateway, product: string, network: string, type: string): Promise<Body> {
  const { body } = await send(gateway, 'live', `/v1/plans/bills/${product}?network=${network}`);
  const plan = body.data.find((one: { amount_type: string }) => one.amount_type === type);
  return { network, plan_code: String(plan.id) };
}

const cards = '/v1/giftcards/orders';

async function sellOrders(gateway: Gateway): Promise<void> {
  await send(gateway, 'test', cards, { request_id: 'card-1', plan_id: 300002 });
  const mailed = { send_via: 'email', destination: 'ada@example.com' };
  await send(gateway, 'test', cards, { request_id: 'card-2', plan_id: 300002, ...mailed });
  const [card] = (await send(gateway, 'live', '/v1/giftcards/catalog')).body.data;
  const texted = { send_via: 'sms', destination: '08039876543' };
  await send(gateway, 'live', cards, { request_id: 'card-3', plan_id: card.plan_id, ...texted });
  await send(gateway, 'live', '/v1/esim/orders', { request_id: 'esim-1', plan_id: 'NG-1GB-7D' });
  await send(gateway, 'test', '/v1/esim/orders', { request_id: 'esim-2', plan_id: 'TEST-FAIL' });
}

/** Two deposits, and a third without a merchant. */
async function fund(gateway: Gateway, { simulatorUrl }: Stage): Promise<void> {
  const person = { first_name: 'Demo', last_name: 'Merchant', phone_number: '08031234567' };
  const body = { bvn: '22222222222', email: 'demo@example.com', ...person };
  const path = '/v1/wallet/funding-account';
  await send(gateway, 'live', path, body);
  const account = await until('the account is open', async () => {
    const answer = await gateway.call('GET', path, { as: 'live' });
    return answer.status === 200 && (answer.body.result.account_number as string);
  });
  await payInto(simulatorUrl, account, '5000.50');
  await payInto(simulatorUrl, account, '99.99');
  await payInto(simulatorUrl, '6000000000', '2500', { provider: 'monnify' });
  await until('three deposits are stored', async () => {
    return (await gateway.database.query('select from deposits')).length === 3;
  });
}

/** One is redeemed, one is open, one is cancelled. */
async function sellVouchers(gateway: Gateway, { oja }: Stage): Promise<void> {
  const issue = ['voucher', 'issue', 'DEMO', '--value', '5000', '--count', '3', '--env', 'live'];
  const { vouchers } = (await oja(...issue)) as { vouchers: { id: string; code: string }[] };
  const [first, , third] = vouchers;
  const body = { request_id: 'esim-3', product: 'ESIM', plan: 'NG-1GB-7D', code: first?.code };
  await send(gateway, 'live', '/v1/giftcards/redeem', body);
  await oja('voucher', 'cancel', third?.id ?? '', '--yes');
}

/** The provider reported a delivery, and has not returned the goods. */
async function sellLate(gateway: Gateway, { simulatorUrl }: Stage): Promise<void> {
  const late = { fault: 'pending_fulfilments', fulfilment_ms: 60_000 };
  const electricity = await planOf(gateway, 'ELECTRICITY', 'EKEDC', 'variable');
  await misbehave({ simulatorUrl }, { ...late, recipient: '45010000003' });
  const bill = { merchant: 'DEMO', product: 'ELECTRICITY', msisdn: '45010000003', amount: '3000' };
  await send(gateway, 'live', '/v1/transactions', { request_ref: 'meter-late', ...bill, ...electricity });
  await until('its token is owed', async () => {
    return (await gateway.database.query('select from pending_fulfilments')).length > 0;
  });
}

/** By a process that sells and claims no work from the queue. */
async function leaveUnderWay(stage: Stage, port: Body): Promise<Gateway> {
  const selling = await stage.start({
    ...port,
    OJA_ROLE: 'api',
    OJA_SYNC_DEADLINE_S: '5',
  });
  await misbehave(
    selling,
    { fault: 'pending_then_success', recipient: '08030000031' },
    { fault: 'pending_then_failed', recipient: '08030000032' },
    { fault: 'cut_before', recipient: '08030000033' },
    { fault: 'cut_after', recipient: '08030000034' },
  );
  for (const n of [31, 32, 33, 34]) {
    await send(selling, 'live', `${airtime}/sync`, purchase(`waits-${n}`, n));
  }
  for (const n of [40, 41, 42, 43]) {
    await send(selling, n % 2 ? 'live' : 'test', `${airtime}/async`, purchase(`queued-${n}`, n));
  }
  await send(selling, 'test', cards, { request_id: 'card-pending', plan_id: 990001 });
  await payInto(stage.simulatorUrl, '6000000001', '1300', { provider: 'monnify' });
  await until('a notice waits', async () => {
    return (await selling.database.query('select from bank_notices where outcome is null')).length > 0;
  });
  return selling;
}

async function untilFinal({ database }: Gateway): Promise<void> {
  await untilNothingPending(database, 100_000);
}

function purchase(reference: string, n: number): Body {
  return {
    merchant: 'DEMO',
    request_ref: reference,
    network: networks[n % networks.length],
    msisdn: `080300000${String(n).padStart(2, '0')}`,
    amount: `${100 + n}`,
  };
}

async function send(gateway: Gateway, as: As, path: string, body?: Body): Promise<Answer> {
  const answer = await gateway.call(body === undefined ? 'GET' : 'POST', path, { as, ...(body && { body }) });
  // A purchase that was not accepted would be missing. One that waits may be answered with 500.
  const isTaken = answer.status < 400 || answer.body?.data?.status === 'pending';
  if (!isTaken && body?.request_ref !== 'too-dear') {
    throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
  }
  return answer;
}

const rules: Body[] = [];

async function misbehave(
  { simulatorUrl }: Pick<Gateway, 'simulatorUrl'>,
  ...more: readonly Body[]
): Promise<void> {
  rules.push(...more);
  const answer = await fetch(`${simulatorUrl}/faults`, {
    method: 'PUT',
    body: JSON.stringify({ seed: 1, rules }),
  });
  if (!answer.ok) throw new Error(`the simulator refuses the rules: ${await answer.text()}`);
}
