/** Nomba's paths below `/nomba`. Calls that buy have a version, `v1` or `v2`; everything else is `v1`. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, readJson } from '../http.ts';
import { spoil } from '../misbehave.ts';
import type { Nomba } from './nomba.ts';
import { pay } from './pay.ts';
import { balance, bettingProviders, bouquets, dataPlans, discos, lookUp, single } from './reads.ts';
import { refusal, unauthorized, words } from './replies.ts';

const TOKEN = /^\/v1\/auth\/token\/(issue|refresh)$/;
const PAY = /^\/v[12]\/bill\/(topup|data|electricity|cabletv|betting)(?:\/([\w-]+))?$/;
const SINGLE = /^\/v1\/transactions\/accounts(?:\/([\w-]+))?\/single$/;
const BALANCE = /^\/v1\/accounts(?:\/([\w-]+))?\/balance$/;
const DATA_PLANS = /^\/v1\/bill\/data-plan\/([\w-]+)$/;

export async function answerNomba(nomba: Nomba, request: IncomingMessage, url: URL): Promise<Reply> {
  const { latencyMs } = nomba.account.settings;
  const body = await readJson(request);
  if (latencyMs > 0) await sleep(latencyMs);
  const path = url.pathname.slice('/nomba'.length);
  const token = TOKEN.exec(path)?.[1];
  if (token !== undefined && request.method === 'POST') return await handOut(nomba, token, request, body);
  if (!nomba.tokens.admits(request.headers)) return unauthorized;
  const [, kind, subAccount = ''] = PAY.exec(path) ?? [];
  if (request.method === 'POST' && kind !== undefined) return await pay(nomba, kind, subAccount, body);
  return request.method === 'GET' ? await read(nomba, path, url.searchParams) : notFound;
}

const notFound = refusal('404', 'Not Found', 404);

async function handOut(nomba: Nomba, token: string, request: IncomingMessage, body: unknown): Promise<Reply> {
  const fault = nomba.account.fault('token', '');
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs);
  if (fault?.fault === 'refused') return refusal('01', 'Invalid credentials', 401);
  const { tokens, account } = nomba;
  const reply =
    token === 'issue' ? tokens.issue(request.headers, body) : tokens.refresh(request.headers, body);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

async function read(nomba: Nomba, path: string, query: URLSearchParams): Promise<Reply> {
  const { catalog } = nomba;
  const customerId = query.get('customerId');
  const record = SINGLE.exec(path);
  if (record !== null) return await single(nomba, record[1] ?? '', query.get('merchantTxRef'));
  if (BALANCE.test(path)) return balance(nomba);
  const network = DATA_PLANS.exec(path)?.[1];
  if (network !== undefined) return dataPlans(nomba, network);
  switch (path) {
    case '/v1/bill/electricity/discos':
      return discos(nomba);
    case '/v1/bill/electricity/lookup': {
      const known = catalog.discos.has(query.get('disco') ?? '');
      return await lookUp(nomba, 'ELECTRICITY', { known }, customerId);
    }
    case '/v1/bill/cabletv/lookup': {
      const type = query.get('cableTvType') ?? '';
      const biller = { known: catalog.bouquets.has(type), as: type.toUpperCase() };
      return await lookUp(nomba, 'CABLE', biller, customerId);
    }
    case '/v1/bill/cableTvProduct':
      return bouquets(nomba, query.get('cableTvType'));
    case '/v1/bill/betting/providers':
      return bettingProviders(nomba);
    case '/v1/bill/betting/lookup': {
      const known = catalog.bettingProviders.has(query.get('providerId') ?? '');
      return await lookUp(nomba, 'BETTING', { known }, customerId);
    }
    default:
      return notFound;
  }
}
