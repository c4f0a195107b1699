/**
 * Orders that are sent to customers, through the public interface: e-mails of the demo become
 * files, live messages reach the simulated Termii.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

// Own gateway: its log is searched for secrets at the most detailed level.
const gateway = await startGateway({ settings: { OJA_LOG_LEVEL: 'trace' } });
after(() => gateway[Symbol.asyncDispose]());

const { body: catalog } = await gateway.call('GET', '/v1/giftcards/catalog?brand=Amazon&currency=USD');
const planId: number = catalog.data[0].plan_id;

type Card = { card_number: string; pin: string };

async function order(
  request_id: string,
  as: 'test' | 'live',
  fields: Record<string, unknown>,
): Promise<Card[]> {
  const body = { request_id, plan_id: planId, ...fields };
  const answer = await gateway.call('POST', '/v1/giftcards/orders', { as, body });
  assert.deepEqual([answer.status, answer.body.response_code], [200, '00'], answer.text);
  return answer.body.data.cards;
}

async function states(): Promise<string[]> {
  const rows = await gateway.database.query<{ told: string }>(
    "select channel || ' ' || environment || ' ' || state as told from deliveries order by 1",
  );
  return rows.map((row) => row.told);
}

test('sends an order to its customer once, and sends nothing without the request', async () => {
  const [mailed] = await order('mailed', 'test', { send_via: 'email', destination: 'ada@example.com' });
  const [texted] = await order('texted', 'live', { send_via: 'sms', destination: '08039876543' });
  await order('simulated', 'test', { send_via: 'whatsapp', destination: '+447700900123' });
  await order('kept', 'live', { send_via: '', destination: '' });
  const expected = ['email test sent', 'sms live sent', 'whatsapp test sent'];
  await until('all are sent', async () => (await states()).join() === expected.join());
  assert.ok(mailed && texted);
  const outbox = join(gateway.dataDir, 'outbox');
  const [file, ...others] = await readdir(outbox);
  assert.deepEqual(others, []);
  // Quoted-printable breaks long lines anywhere.
  const mail = (await readFile(join(outbox, file ?? ''), 'utf8')).replaceAll('=\r\n', '');
  assert.ok(mail.includes(mailed.card_number) && mail.includes(mailed.pin));
  const book = await (await fetch(`${gateway.simulatorUrl}/messages`)).text();
  const [message, ...more] = book.trim().split('\n');
  assert.deepEqual(more, []);
  const { to, text } = JSON.parse(message ?? '') as { to: string; text: string };
  assert.equal(to, '2348039876543');
  assert.ok(text.includes(texted.card_number) && text.includes(texted.pin));
  const said = gateway.output();
  for (const secret of [mailed.card_number, texted.card_number, 'ada@', '8039876543'])
    assert.ok(!said.includes(secret));
});

test('refuses an order whose destination is missing or wrong', async () => {
  const before = (await states()).length;
  const cases = [
    [{ send_via: 'email' }, 422, 'destination'],
    [{ send_via: 'email', destination: '08031234567' }, 400, 'destination'],
    [{ send_via: 'sms', destination: 'ada@example.com' }, 400, 'destination'],
    [{ send_via: 'pigeon', destination: 'ada@example.com' }, 400, 'send_via'],
    [{ destination: 'ada@example.com' }, 400, 'send_via'],
    [{ send_via: '', destination: '08031234567' }, 400, 'send_via'],
  ] as const;
  for (const [fields, status, field] of cases) {
    const body = { request_id: `bad-${status}-${field}`, plan_id: planId, ...fields };
    const answer = await gateway.call('POST', '/v1/giftcards/orders', { body });
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [status, field], answer.text);
  }
  assert.equal((await states()).length, before);
});

test('metrics count by channel and outcome', async () => {
  await until('the e-mail is counted', async () => {
    const text = await (await fetch(gateway.metricsUrl)).text();
    return /^oja_deliveries_total\{channel="email",outcome="sent"\} 1$/m.test(text);
  });
});
