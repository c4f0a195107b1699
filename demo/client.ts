/** Calls the merchants' interface with the credentials of the demo. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Environment = 'live' | 'test';
type KeyPair = { readonly key: string; readonly secret: string };
export type Credentials = { readonly merchant: string } & Readonly<Record<Environment, KeyPair>>;

type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read by path
  readonly body: any;
};

export type Client = {
  readonly merchant: string;
  get(environment: Environment, path: string): Promise<Answer>;
  post(environment: Environment, path: string, body: object): Promise<Answer>;
};

const TRIES = 30;
const PAUSE_MS = 1_000;

export function openClient(url: string, credentials: Credentials): Client {
  const call = async (of: Environment, path: string, options: RequestInit): Promise<Answer> => {
    const { key, secret } = credentials[of];
    const headers = {
      'x-merchant-key': key,
      'x-merchant-secret': secret,
      'content-type': 'application/json',
      // The gateway counts these requests instead of logging each.
      'user-agent': 'oja-demo-history',
    };
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${url}${path}`, { ...options, headers });
      const body = await answer.json();
      // The reference is in the body, so a repeated request buys nothing twice.
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy || tries === TRIES) return { status: answer.status, body };
      await sleep(PAUSE_MS);
    }
  };
  return {
    merchant: credentials.merchant,
    get: (of, path) => call(of, path, {}),
    post: (of, path, body) => call(of, path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
