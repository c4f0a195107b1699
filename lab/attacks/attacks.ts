/**
 * The attacks. Each runs until its signal is aborted, and counts the results of its calls. As a
 * program it runs one attack: the parent sends its name and target, later `end`, and receives the
 * counts.
 */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Shop } from '../../test/e2e/shop.ts';
import { airtimeSync, type Call, keyHeaders, pipeline, purchase, statusOf, type Target } from './calls.ts';

export type Attack = {
  readonly name: string;
  readonly what: string;
  readonly run: (target: Target, signal: AbortSignal, statuses: Map<number, number>) => Promise<void>;
};

/** Sends calls on `lanes` at a time until the signal ends. */
async function loop(
  lanes: number,
  signal: AbortSignal,
  statuses: Map<number, number>,
  next: (lane: number, turn: number) => { readonly url: string; readonly call: Call },
): Promise<void> {
  const agent = new Agent({ connections: lanes, headersTimeout: 0, bodyTimeout: 0 });
  const lane = async (at: number): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const { url, call } = next(at, turn);
      const status = await statusOf(agent, url, call, signal);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0) await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
  await agent.destroy();
}

function people(cookie: string, host: string): Record<string, string> {
  return { cookie, host, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
}

const manyMembers = `{${Array.from({ length: 200_000 }, (_, at) => `"u${at}":1`).join(',')}}`;

/** As many as one merchant may buy. */
const LOAD_PER_S = 500;

export const attacks: readonly Attack[] = [
  {
    name: 'load',
    what: 'no attack: as many purchases a second as S1 may make, by ten merchants below their limits',
    run: async ({ url, others }, signal, statuses) => {
      const agent = new Agent({ connections: 64 });
      const buy = async ({ code, live }: Shop): Promise<void> => {
        const body = JSON.stringify(purchase(code, '08031234567'));
        const status = await statusOf(
          agent,
          `${url}${airtimeSync}`,
          { headers: keyHeaders(live), body },
          signal,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      const startMs = performance.now();
      for (let sent = 0; !signal.aborted; ) {
        const due = ((performance.now() - startMs) / 1_000) * LOAD_PER_S;
        for (; sent < due; sent += 1) {
          const shop = others[sent % others.length];
          if (shop !== undefined) void buy(shop);
        }
        await sleep(10);
      }
      await agent.destroy();
    },
  },
  {
    name: 'S1',
    what: '10,600 pipelined purchases that stay pending, over 24 connections, and live ones at the limit',
    run: async ({ url, attacker }, signal, statuses) => {
      for (let at = 0; at < 24; at += 1) {
        const bodies = Array.from({ length: 442 }, () => purchase(attacker.code, '08000000401'));
        pipeline(url, attacker.test, bodies, signal);
      }
      await loop(64, signal, statuses, () => ({
        url: `${url}${airtimeSync}`,
        call: {
          headers: keyHeaders(attacker.live),
          body: JSON.stringify(purchase(attacker.code, '08031234567')),
        },
      }));
    },
  },
  {
    name: 'S2',
    what: 'bodies of 200,000 unknown members of a viewer and of a token',
    run: async ({ consoleUrl, adminUrl, viewer, token }, signal, statuses) => {
      const host = new URL(consoleUrl).host;
      await loop(8, signal, statuses, (lane) =>
        lane % 2 === 0
          ? {
              url: `${consoleUrl}/api/operations/merchant.list`,
              call: { headers: people(viewer, host), body: manyMembers },
            }
          : {
              url: `${adminUrl}/merchants`,
              call: { headers: { authorization: `Bearer ${token}` }, body: manyMembers },
            },
      );
    },
  },
  {
    name: 'S3',
    what: '60 connections with unfinished bodies of one viewer',
    run: async ({ consoleUrl, viewer }, signal, statuses) => {
      const host = new URL(consoleUrl).host;
      const { connect } = await import('node:net');
      const { hostname, port } = new URL(consoleUrl);
      const names = ['catalog.import', 'merchant.list', 'reconciliation.run'];
      for (let at = 0; at < 60; at += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        signal.addEventListener('abort', () => socket.destroy(), { once: true });
        const head = Object.entries(people(viewer, host)).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(
          `POST /api/operations/${names[at % names.length]} HTTP/1.1\r\n${head.join('')}Content-Length: 15000000\r\n\r\n`,
        );
        socket.write(`{"content":"${'x'.repeat(14_000_000)}`);
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      statuses.set(0, 60);
    },
  },
  {
    name: 'S4',
    what: 'guesses at the portal from 80 addresses',
    run: async ({ portalUrl }, signal, statuses) => {
      const host = new URL(portalUrl).host;
      await loop(80, signal, statuses, (lane, turn) => ({
        url: `${portalUrl}/api/sign-in`,
        call: {
          headers: { ...people('', host), 'x-forwarded-for': `203.0.113.${lane}` },
          body: JSON.stringify({
            email: `guess-${lane}-${turn}@nowhere.example`,
            password: 'a wrong password',
          }),
        },
      }));
    },
  },
  {
    name: 'S5',
    what: 'long polls of all keys that one merchant may have',
    run: async ({ url, keys, attacker }, signal, statuses) => {
      await loop(160, signal, statuses, (lane) => ({
        url: `${url}/v1/events?after=latest&wait=20`,
        call: { method: 'GET', headers: keyHeaders(keys[lane % keys.length] ?? attacker.test) },
      }));
    },
  },
  {
    name: 'S6',
    what: 'exports of one session of the portal, one after the other',
    run: async ({ portalUrl, owner }, signal, statuses) => {
      const host = new URL(portalUrl).host;
      await loop(32, signal, statuses, (_, turn) => ({
        url: `${portalUrl}/api/csv/merchant_purchase.list`,
        call: {
          method: 'GET',
          headers: { ...people(owner, host), 'x-forwarded-for': `203.0.113.${turn % 200}` },
        },
      }));
    },
  },
  {
    name: 'S7',
    what: 'requests of one IPv6 network at the portal',
    run: async ({ portalUrl }, signal, statuses) => {
      const host = new URL(portalUrl).host;
      await loop(64, signal, statuses, (lane, turn) => ({
        url: `${portalUrl}/api/session`,
        call: {
          method: 'GET',
          headers: {
            host,
            'x-forwarded-for': `2001:db8:1:1:${lane.toString(16)}:${(turn % 65_536).toString(16)}::1`,
          },
        },
      }));
    },
  },
];

if (import.meta.main) {
  // Real attackers use other machines. Here this process uses only spare processor time.
  setPriority(19);
  const end = new AbortController();
  const statuses = new Map<number, number>();
  let attacking: Promise<void> | undefined;
  process.on('message', (message: { readonly name: string; readonly target: Target } | 'end') => {
    if (message === 'end') {
      end.abort();
      return;
    }
    const attack = attacks.find(({ name }) => name === message.name);
    attacking = attack?.run(message.target, end.signal, statuses);
  });
  process.on('disconnect', () => process.exit());
  end.signal.addEventListener('abort', () => {
    void Promise.resolve(attacking)
      .catch(() => undefined)
      .then(() => process.send?.([...statuses]));
  });
}
