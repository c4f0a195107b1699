/** Single requests, as a merchant's program sends them, and times of many of them. */
import { Agent, request } from 'undici';
import type { Gateway } from '../gateway.ts';
import type { Credential } from '../load/job.ts';

export type Answer = { readonly status: number; readonly body: unknown; readonly ms: number };

export type Client = AsyncDisposable & {
  call(
    gateway: Gateway,
    credential: Credential,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Answer>;
};

export function openClient(): Client {
  const agent = new Agent({ headersTimeout: 120_000, bodyTimeout: 120_000 });
  return {
    call: async ({ port }, { key, secret }, method, path, body) => {
      const startedAt = performance.now();
      const answer = await request(`http://127.0.0.1:${port}${path}`, {
        method,
        dispatcher: agent,
        headers: {
          'x-merchant-key': key,
          'x-merchant-secret': secret,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: readJson(text), ms: performance.now() - startedAt };
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the value at this path of names. Undefined if it is missing. */
export function saidIn({ body }: Answer, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    body,
  );
}

export type Times = {
  /** Times of successful answers, in milliseconds from when each was due. */
  readonly ms: readonly number[];
  /** Errors by text, with their number. */
  readonly errors: Readonly<Record<string, number>>;
};

/** Sends calls on a fixed schedule. `send` returns its error, if any. */
export async function onSchedule(
  everyMs: number,
  count: number,
  send: (n: number) => Promise<string | undefined>,
): Promise<Times> {
  const ms: number[] = [];
  const errors: Record<string, number> = {};
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const dueAt = startedAt + n * everyMs;
      await new Promise((resolve) => setTimeout(resolve, n * everyMs));
      const wrong = await send(n).catch((error: unknown) => String(error));
      if (wrong === undefined) ms.push(performance.now() - dueAt);
      else errors[wrong] = (errors[wrong] ?? 0) + 1;
    }),
  );
  return { ms, errors };
}

/** The quantile of the values; 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function countErrors(errors: Readonly<Record<string, number>>): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}

/** Undefined without values. */
export function errorWords(errors: Readonly<Record<string, number>>): string {
  const words = Object.entries(errors).map(([kind, count]) => `${count} × ${kind}`);
  return words.length === 0 ? '' : `; errors: ${words.join(', ')}`;
}
