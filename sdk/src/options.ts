/**
 * Creates a client. Invalid options are refused here with the reason, and their values are never
 * shown.
 */
import { ConfigurationError } from './errors.ts';

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type OjaOptions = {
  /** The id of your credential: `oja_test_…` or `oja_live_…`. */
  readonly key: string;
  readonly secret: string;
  /** Your merchant code, for purchases that do not name it themselves. */
  readonly merchant?: string;
  /** Where the gateway is, such as `https://gateway.example`. */
  readonly baseUrl: string;
  /** How long to wait for an answer; default 70 000. A sync purchase may take 60 seconds. */
  readonly timeoutMs?: number;
  /** The maximum number of repetitions of a request, and of a status query; default 3. */
  readonly maxRetries?: number;
  /** Default: that of the runtime. */
  readonly fetch?: Fetch;
  /** Permits `http://` to other machines than this one: the secret is then readable in transit. */
  readonly allowHttp?: boolean;
};

/** Options of one call, which override those of the client. */
export type CallOptions = {
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** Aborts the call. A purchase that was sent continues; only the waiting ends. */
  readonly signal?: AbortSignal;
};

export type Settings = {
  readonly key: string;
  readonly secret: string;
  readonly merchant: string | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
};

const longestMs = 10 * 60_000;

export function readOptions(options: OjaOptions): Settings {
  if (isBrowser()) {
    throw new ConfigurationError(
      'oja-client does not run in browsers: whoever opens the page would have your secret, and with it your wallet. Call it from your server.',
    );
  }
  return {
    key: readHeader('key', options.key),
    secret: readHeader('secret', options.secret),
    merchant: options.merchant,
    baseUrl: readBaseUrl(options.baseUrl, options.allowHttp === true),
    timeoutMs: readNumber('timeoutMs', options.timeoutMs ?? 70_000, 1, longestMs),
    maxRetries: readNumber('maxRetries', options.maxRetries ?? 3, 0, 20),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

export function readCallOptions(settings: Settings, options: CallOptions): Settings {
  return {
    ...settings,
    timeoutMs: readNumber('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1, longestMs),
    maxRetries: readNumber('maxRetries', options.maxRetries ?? settings.maxRetries, 0, 20),
  };
}

/** A page or its worker. Node.js, Deno, Bun and Cloudflare Workers identify themselves. */
function isBrowser(): boolean {
  const world = globalThis as {
    readonly process?: { readonly versions?: { readonly node?: string } };
    readonly Deno?: unknown;
    readonly Bun?: unknown;
    readonly document?: unknown;
    readonly WorkerGlobalScope?: unknown;
    readonly navigator?: { readonly userAgent?: string };
  };
  const isServer =
    world.process?.versions?.node !== undefined ||
    world.Deno !== undefined ||
    world.Bun !== undefined ||
    world.navigator?.userAgent === 'Cloudflare-Workers';
  return !isServer && (world.document !== undefined || world.WorkerGlobalScope !== undefined);
}

/**
 * A value that is not a valid header is refused here, because the runtime would repeat it in its
 * message.
 */
function readHeader(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new ConfigurationError(
    `${name} must be the ${name} of your credential: a string without blanks and line breaks`,
  );
}

function readBaseUrl(value: unknown, allowHttp: boolean): string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError('baseUrl must be a URL such as "https://gateway.example"');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigurationError('baseUrl must have no user, no password, no query and no fragment');
  }
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isHere && !allowHttp) {
    throw new ConfigurationError(
      'baseUrl must be https://: over http:// everybody on the way can read your secret. On a network of your own set allowHttp: true.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function readNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}`);
}
