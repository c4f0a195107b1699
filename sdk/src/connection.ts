/**
 * One request and its result. It never repeats a request, follows no redirect, and distinguishes
 * the gateway's own answers from those of a proxy in between.
 */
import {
  ConnectionError,
  type ErrorFacts,
  errorOf,
  InvalidRequestError,
  type OjaError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { Refusal } from './generated/api.ts';
import type { Settings } from './options.ts';
import { isObject, readBytes, readJson } from './read-answer.ts';
import { readRetryAfter } from './retry.ts';
import { version } from './version.ts';

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

export type Request = {
  readonly method: string;
  /** With its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: object | undefined;
  /** The type of the answer: JSON unless stated. */
  readonly answers?: 'json' | 'png';
  /** A status that is an answer, besides 200. */
  readonly alsoStatus?: number;
  /** The purchase that it makes. Errors name it. */
  readonly reference?: string;
};

export type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  /** An answer of the gateway itself. */
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly retryAfterMs: number | undefined;
      readonly error: OjaError;
    }
  /** Not from the gateway, which may or may not have received the request. */
  | { readonly kind: 'foreign'; readonly isRedirect: boolean; readonly error: OjaError }
  /** No answer, or an incomplete one. */
  | { readonly kind: 'silence'; readonly error: OjaError };

/** Rejects with the reason of `signal` when it is aborted, or when nothing can be sent. */
export async function send(
  settings: Settings,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  signal?.throwIfAborted();
  const content = contentOf(settings, request);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, settings.timeoutMs);
  try {
    const response = await settings.fetch(urlOf(settings, request), {
      method: request.method,
      redirect: 'manual',
      signal: controller.signal,
      ...content,
    });
    return judge(settings, request, response, await bodyOf(response));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UnexpectedAnswerError) return { kind: 'foreign', isRedirect: false, error };
    return { kind: 'silence', error: isLate ? late(settings, request) : silent(request, error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The body of a redirect is ignored. */
async function bodyOf(response: Response): Promise<Uint8Array> {
  if (!isRedirect(response)) return await readBytes(response);
  await response.body?.cancel();
  return new Uint8Array();
}

function isRedirect({ status, type }: Response): boolean {
  return (status >= 300 && status < 400) || type === 'opaqueredirect';
}

function judge(settings: Settings, request: Request, response: Response, bytes: Uint8Array): Outcome {
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    reference: request.reference,
  };
  if (isRedirect(response)) {
    const error = new UnexpectedAnswerError('the answer is a redirect, which is not followed', facts);
    return { kind: 'foreign', isRedirect: true, error };
  }
  const isAnswer = response.status === 200 || response.status === request.alsoStatus;
  const type = response.headers.get('content-type') ?? '';
  if (isAnswer && request.answers === 'png' && /^image\/png\b/i.test(type)) {
    return { kind: 'answer', value: bytes };
  }
  const json = readJson(bytes);
  if (isAnswer && json !== undefined && request.answers !== 'png') return { kind: 'answer', value: json };
  if (json !== undefined && isRefusal(json, response.status)) {
    return refused(settings, json, response, facts);
  }
  const words = `the answer is not the gateway's: HTTP ${response.status}, ${kindOf(type)}`;
  return { kind: 'foreign', isRedirect: false, error: new UnexpectedAnswerError(words, facts) };
}

/** The media type without its parameters. Empty if it is invalid. */
function kindOf(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? 'of no type';
}

function refused(settings: Settings, refusal: Refusal, response: Response, facts: ErrorFacts): Outcome {
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
  const error = errorOf(withoutSecret(settings, refusal), { ...facts, retryAfterMs });
  return { kind: 'refusal', status: response.status, retryAfterMs, error };
}

/** The body of a refusal: `{status: "error", code: <the HTTP status>, reason, message}`. */
function isRefusal(json: object, status: number): json is Refusal {
  const { status: word, code, message, errors, data } = json as Readonly<Record<string, unknown>>;
  return (
    word === 'error' &&
    code === status &&
    typeof message === 'string' &&
    (errors === undefined || (Array.isArray(errors) && errors.every(isObject))) &&
    (data === undefined || isObject(data))
  );
}

/** Otherwise any server that answers could repeat the request. */
function withoutSecret({ secret }: Settings, refusal: Refusal): Refusal {
  const text = JSON.stringify(refusal);
  if (!text.includes(secret)) return refusal;
  return JSON.parse(text.replaceAll(secret, '[secret]')) as Refusal;
}

function urlOf({ baseUrl }: Settings, { path, query = {} }: Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  const search = new URLSearchParams(pairs as [string, string][]).toString();
  return `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

function contentOf(
  { key, secret }: Settings,
  { body }: Request,
): { headers: Record<string, string>; body?: string | FormData } {
  const headers = {
    accept: 'application/json, image/png',
    'user-agent': `oja-client/${version}`,
    'x-merchant-key': key,
    'x-merchant-secret': secret,
  };
  if (body === undefined) return { headers };
  // The runtime chooses the boundary itself.
  if (body instanceof FormData) return { headers, body };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: jsonOf(body) };
}

function jsonOf(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidRequestError('nothing was sent: what was given cannot be written as JSON', { cause });
  }
}

function late({ timeoutMs }: Settings, { reference }: Request): TimeoutError {
  return new TimeoutError(`no answer within ${timeoutMs} ms`, { reference });
}

function silent({ reference }: Request, cause: unknown): ConnectionError {
  return new ConnectionError('no answer: the connection failed or broke', { reference, cause });
}
