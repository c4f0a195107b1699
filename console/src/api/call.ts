/**
 * Calls the gateway that served the page. A call that needs a recent password asks for it and
 * continues. An expired session leads to the sign-in page.
 */
import { probeGateway, reportReachable } from './reachable.ts';
import { Refusal, refusalOf, unreachable } from './refusal.ts';

/** In characters. */
const LONG = 100_000;
/** A call without an answer for this long starts a look whether the gateway answers at all. */
const SLOW_MS = 5_000;

type Handlers = {
  /** Asks for the password. Returns whether the call may be sent again. */
  readonly stepUp: () => Promise<boolean>;
  readonly signedOut: () => void;
};

let handlers: Handlers = { stepUp: () => Promise.resolve(false), signedOut: () => undefined };

export function handleSession(given: Handlers): void {
  handlers = given;
}

/** Asks for the password for requests that `call` does not send. Returns whether to continue. */
export async function requestStepUp(): Promise<boolean> {
  return await handlers.stepUp();
}

export type Answer = { readonly status: number; readonly body: unknown };

/** Receives the share of the body that was sent, from 0 to 1. */
type OnSent = (share: number) => void;

/** Sends a request. `onSent` receives the progress of a long body. Throws Refusal. */
export async function call(path: string, body?: unknown, onSent?: OnSent): Promise<Answer> {
  const answer = await send(path, body, onSent);
  if (answer.status < 400) return answer;
  const refusal = answer.refusal;
  if (refusal.code === 'step_up_needed' && (await handlers.stepUp())) {
    const again = await send(path, body, onSent);
    if (again.status < 400) return again;
    throw again.refusal;
  }
  if (refusal.code === 'signed_out' || refusal.code === 'second_factor_needed') handlers.signedOut();
  throw refusal;
}

type Sent = Answer & { readonly refusal: Refusal };

async function send(path: string, body: unknown, onSent: OnSent | undefined): Promise<Sent> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const isLong = text !== undefined && text.length > LONG;
  const answer =
    isLong && onSent !== undefined ? await sendLong(path, text, onSent) : await reach(path, text);
  const read = readJson(answer.text);
  const refusal = refusalOf(answer.status, read, answer.retryAfter);
  return { status: answer.status, body: read, refusal };
}

type Reached = { readonly status: number; readonly text: string; readonly retryAfter: string | null };

async function reach(path: string, text: string | undefined): Promise<Reached> {
  // A process that stands still accepts connections, and does not answer.
  const slow = setTimeout(() => void probeGateway(), SLOW_MS);
  const response = await fetch(path, {
    method: text === undefined ? 'GET' : 'POST',
    credentials: 'same-origin',
    ...(text !== undefined && { headers: { 'content-type': 'application/json' }, body: text }),
  })
    .catch(() => {
      reportReachable(false);
      throw unreachable;
    })
    .finally(() => clearTimeout(slow));
  reportReachable(true);
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  };
}

/** Sends by XMLHttpRequest, because a fetch does not report upload progress. */
function sendLong(path: string, text: string, onSent: OnSent): Promise<Reached> {
  const { promise, resolve, reject } = Promise.withResolvers<Reached>();
  const request = new XMLHttpRequest();
  request.open('POST', path);
  request.setRequestHeader('content-type', 'application/json');
  request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
  request.onload = () =>
    resolve({
      status: request.status,
      text: request.responseText,
      retryAfter: request.getResponseHeader('retry-after'),
    });
  request.onerror = () => reject(unreachable);
  request.send(text);
  return promise;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}
