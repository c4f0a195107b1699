/** Sends the recorded requests one after the other, and normalizes the answers. */
import assert from 'node:assert/strict';
import { issueVouchers } from '../../src/wallet/vouchers/operations/issue-vouchers.ts';
import { merchantCode } from '../e2e/gateway-under-test.ts';
import { credit, pepperOf } from '../e2e/shop.ts';
import type { Answer, Gateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { createNormalizer } from './normalize.ts';
import type { RecordedRequest } from './requests.ts';

export type RecordedAnswer = { readonly status: number; readonly body: unknown };

/** In kobo: the amount taken from the live wallet, so that it cannot pay for everything. */
const TAKEN = -960_000_000n;

/** Sends them with the credentials of the file's merchant, which must be new. */
export async function playRequests(
  gateway: Gateway,
  requests: readonly RecordedRequest[],
): Promise<Readonly<Record<string, RecordedAnswer>>> {
  const code = merchantCode();
  await credit(gateway, code, 'live', TAKEN);
  const values = new Map([
    ['merchant', code],
    ['voucher', await issueVoucher(gateway, code)],
  ]);
  const normalize = createNormalizer(new Map([[code, '<merchant>']]));
  const answers: [string, RecordedAnswer][] = [];
  for (const request of requests) {
    const { status, headers, body } = await send(gateway, request, values);
    for (const [name, path] of Object.entries(request.keep ?? {})) values.set(name, read(body, path));
    answers.push([
      request.name,
      { status, body: body === undefined ? headers['content-type'] : normalize(withoutOwn(body)) },
    ]);
  }
  assert.equal(new Set(answers.map(([name]) => name)).size, requests.length, 'each request has its own name');
  return Object.fromEntries(answers);
}

async function issueVoucher(gateway: Gateway, merchant: string): Promise<string> {
  const order = { merchantCode: merchant, environment: 'test', value: 500_000n, count: 1 } as const;
  const pepper = await pepperOf(gateway);
  const { vouchers } = await gateway.database.transaction((tx) => issueVouchers(tx, pepper, order, 'test'));
  return vouchers[0]?.code ?? '';
}

async function send(
  gateway: Gateway,
  { name, method, path, body, as, until: isReached }: RecordedRequest,
  values: ReadonlyMap<string, string>,
): Promise<Answer> {
  const call = (): Promise<Answer> =>
    gateway.call(method, fill(path, values), {
      ...(as !== undefined && { as }),
      ...(body !== undefined && { body: JSON.parse(fill(JSON.stringify(body), values)) }),
    });
  return await until(name, async () => {
    const answer = await call();
    return (isReached ?? isCompared)(answer.body) && answer;
  });
}

/** A gateway under load refuses a used reference without comparing it. */
function isCompared(body: Answer['body']): boolean {
  return body?.reason !== 'reference_used' || 'differs' in body.data;
}

function fill(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\w+)/g, (whole, name) => values.get(name) ?? whole);
}

function read(body: unknown, path: readonly string[]): string {
  return String(path.reduce((value, name) => (value as Record<string, unknown>)[name], body));
}

/** Leaves out values that depend on earlier tests in the same gateway. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, variable[name] ?? withoutOwn(item)]),
  );
}

const variable: Readonly<Record<string, string>> = {
  merchant_id: '<merchant>',
  version: '<version>',
  uptime_s: '<time>',
  // Of a moved clock: queries may be due just then, or have been made.
  moved: '<counts>',
};
