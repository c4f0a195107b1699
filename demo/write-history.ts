/** Adds the missing parts of a demo's history: deposits, purchases, and a refund. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from './client.ts';
import { lastPurchase, listPurchases, type Purchase, refundedReference } from './purchases.ts';

const AT_ONCE = 4;
const REFUND_KEY = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';
const deposits = ['25000.00', '140000.00'];
const oja = join(import.meta.dirname, '..', 'src', 'oja.ts');

export async function writeHistory(client: Client, simulatorUrl: string): Promise<void> {
  const status = `/v1/transactions/status?request_ref=${lastPurchase.body.request_ref}`;
  if ((await client.get('live', status)).status === 200) return;
  await payIn(client, simulatorUrl);
  const left = await listPurchases(client);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await buy(client, next);
    }),
  );
  await refund(client);
  await buy(client, lastPurchase);
}

async function buy(client: Client, { environment, path, body }: Purchase): Promise<void> {
  const whole = path.includes('/orders') ? body : { merchant: client.merchant, ...body };
  const { status, body: answer } = await client.post(environment, path, whole);
  // 500 means that it is stored and not final yet.
  if (status === 200 || status === 500 || answer.reason === 'reference_used') return;
  process.stderr.write(`${JSON.stringify(body)} was refused: ${answer.message}\n`);
}

/** The simulated bank lists its transfers, so each is made once. */
async function payIn(client: Client, simulatorUrl: string): Promise<void> {
  const person = {
    currency: 'NGN',
    bvn: '22222222222',
    email: 'ada@shop.example',
    first_name: 'Ada',
    last_name: 'Obi',
    phone_number: '08031234567',
    date_of_birth: '1990-04-17',
  };
  const { body } = await client.post('live', '/v1/wallet/funding-account', person);
  const account = body.result?.account_number;
  if (typeof account !== 'string') return;
  const transfers = `${simulatorUrl}/bank/transfers`;
  const made = (await (await fetch(transfers)).text()).split('\n').filter((line) => line !== '');
  const known = new Set(
    made.map((line) => JSON.parse(line)).map((of) => `${of.account_number} ${of.amount}`),
  );
  for (const amount of deposits) {
    if (known.has(`${account} ${amount}`)) continue;
    await fetch(transfers, { method: 'POST', body: JSON.stringify({ account_number: account, amount }) });
  }
}

/** An operator refunds half of a purchase, once: the key is fixed. */
async function refund(client: Client): Promise<void> {
  const { body } = await client.get('live', `/v1/transactions/status?request_ref=${refundedReference}`);
  if (body.code !== '00' || body.payload.refunded_amount !== undefined) return;
  const half = (Number(body.payload.amount) / 2).toFixed(2);
  const reason = 'half of it arrived';
  const args = [oja, 'purchase', 'refund', refundedReference, '--amount', half, '--reason', reason];
  await promisify(execFile)(process.execPath, [...args, '--key', REFUND_KEY]);
}
