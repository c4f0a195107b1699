/** Reloadly's paths below `/reloadly`: the gift cards', and that of the host which hands out tokens. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, readJson } from '../http.ts';
import { spoil } from '../misbehave.ts';
import { placeOrder } from './order.ts';
import { balance, cardsOf, product, products, report, reports } from './reads.ts';
import type { Reloadly } from './reloadly.ts';
import { refusal, words } from './replies.ts';
import { badCredentials } from './tokens.ts';

const CARDS = /^\/orders\/transactions\/(\d+)\/cards$/;
const REPORT = /^\/reports\/transactions\/(\d+)$/;
const PRODUCT = /^\/products\/(\d+)$/;

export async function answerReloadly(reloadly: Reloadly, request: IncomingMessage, url: URL): Promise<Reply> {
  const { latencyMs } = reloadly.account.settings;
  const body = await readJson(request);
  if (latencyMs > 0) await sleep(latencyMs);
  const path = url.pathname.slice('/reloadly'.length);
  if (request.method === 'POST' && path === '/oauth/token') return await handOut(reloadly, body);
  if (!reloadly.tokens.admits(request.headers)) return words.unauthorized;
  if (request.method === 'POST' && path === '/orders') return await placeOrder(reloadly, body);
  return request.method === 'GET' ? await read(reloadly, path, url.searchParams, request) : wrongPath;
}

const wrongPath = refusal(404, null, 'Not Found');

async function handOut({ tokens, account }: Reloadly, body: unknown): Promise<Reply> {
  const fault = account.fault('token', '');
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs);
  if (fault?.fault === 'refused') return badCredentials;
  const reply = tokens.issue(body);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

async function read(
  reloadly: Reloadly,
  path: string,
  query: URLSearchParams,
  { headers }: IncomingMessage,
): Promise<Reply> {
  if (path === '/reports/transactions') return await reports(reloadly, query);
  if (path === '/products') return await products(reloadly, query);
  if (path === '/accounts/balance') return balance(reloadly);
  const version = headers.accept?.includes('giftcards-v2') === true ? 'v2' : 'v1';
  const [, order] = CARDS.exec(path) ?? [];
  if (order !== undefined) return await cardsOf(reloadly, order, version);
  const [, transaction] = REPORT.exec(path) ?? [];
  if (transaction !== undefined) return await report(reloadly, transaction);
  const [, id] = PRODUCT.exec(path) ?? [];
  return id === undefined ? wrongPath : await product(reloadly, id);
}
