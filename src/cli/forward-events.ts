/**
 * Reads a merchant's events over the API and posts each to a URL, signed as a webhook. While the
 * gateway or the URL is unreachable, it waits and skips no event.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { signatureHeaders } from '../notifications/webhooks/signature.ts';
import { CommandError } from './command-error.ts';
import type { Terminal } from './run.ts';

export type Forwarding = {
  /** The address of the gateway. */
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  readonly types: string | undefined;
  /** A cursor, or `latest`. */
  readonly after: string;
  readonly forwardTo: string;
  readonly signingSecret: string;
  /** Stops after this many events. Undefined: never. */
  readonly count: number | undefined;
  readonly json: boolean;
};

type Event = { readonly id: string; readonly type: string };
type Page = { readonly data: readonly Event[]; readonly cursor: string; readonly has_more: boolean };

const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 10_000;
const PAGE_EVENTS = 50;
const POST_MS = 15_000;
const READ_MS = 40_000;

/** Forwards events until `signal` aborts. Throws CommandError if the gateway refuses. */
export async function forwardEvents(
  { stdout, stderr }: Terminal,
  forwarding: Forwarding,
  signal: AbortSignal,
): Promise<void> {
  let { after } = forwarding;
  let sent = 0;
  let isFirst = true;
  for (let pauseMs = PAUSE_MS; !signal.aborted; ) {
    const limit = Math.min((forwarding.count ?? Number.POSITIVE_INFINITY) - sent, PAGE_EVENTS);
    const page = await readPage(forwarding, { after, limit, isFirst }, signal);
    if (typeof page === 'string') {
      if (signal.aborted) return;
      stderr.write(`${page}. Retrying.\n`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS);
      continue;
    }
    if (isFirst) stderr.write(`Listening after ${page.cursor}\n`);
    isFirst = false;
    pauseMs = PAUSE_MS;
    for (const event of page.data) {
      const outcome = await postUntilAnswered(stderr, forwarding, event, signal);
      if (outcome === undefined) return;
      stdout.write(`${lineOf(event, outcome, forwarding.json)}\n`);
      sent += 1;
      if (signal.aborted) return;
    }
    if (page.data.length > 0) stderr.write(`To continue from here: --after ${page.cursor}\n`);
    if (sent === forwarding.count) return;
    after = page.cursor;
  }
}

/** Returns a page, or the reason why none can be read now. */
async function readPage(
  { gateway, key, secret, types }: Forwarding,
  { after, limit, isFirst }: { readonly after: string; readonly limit: number; readonly isFirst: boolean },
  signal: AbortSignal,
): Promise<Page | string> {
  const url = new URL('/v1/events', gateway);
  url.searchParams.set('after', after);
  url.searchParams.set('limit', String(limit));
  if (types !== undefined) url.searchParams.set('types', types);
  if (isFirst) url.searchParams.set('wait', '0');
  try {
    const answer = await fetch(url, {
      headers: { 'x-merchant-key': key, 'x-merchant-secret': secret },
      // A redirect would send the secret to another address.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]),
    });
    if (answer.status >= 300 && answer.status < 400) {
      throw new CommandError('gateway_redirects', `${url.origin} redirects. Use the gateway's own address`);
    }
    const body: unknown = await answer.json();
    if (answer.ok) return body as Page;
    const { message } = body as { message: string };
    if (answer.status < 500 && answer.status !== 429)
      throw new CommandError('gateway_refused', `the gateway answered: ${message}`);
    return message;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return `${url.origin} is unreachable`;
  }
}

type Outcome = { readonly status: number; readonly ms: number };

/** Returns undefined if the signal aborts first. */
async function postUntilAnswered(
  stderr: Terminal['stderr'],
  forwarding: Forwarding,
  event: Event,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    const outcome = await post(forwarding, event, signal);
    if (outcome !== undefined || signal.aborted) return outcome;
    stderr.write(`${forwarding.forwardTo} does not answer. Retrying.\n`);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
}

async function post(
  { forwardTo, signingSecret }: Forwarding,
  event: Event,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const startedMs = performance.now();
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1_000);
  try {
    const answer = await fetch(forwardTo, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders([signingSecret], { id: event.id, time, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(POST_MS)]),
    });
    await answer.body?.cancel();
    return { status: answer.status, ms: Math.round(performance.now() - startedMs) };
  } catch {
    return undefined;
  }
}

function lineOf(event: Event, { status, ms }: Outcome, json: boolean): string {
  if (json) return JSON.stringify({ event, http_status: status, duration_ms: ms });
  return `${new Date().toISOString()}  ${event.type}  ${event.id}  ${status} (${ms} ms)`;
}
