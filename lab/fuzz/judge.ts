/**
 * The rules for every answer: no internal failure, nothing that its document does not declare, and
 * no data of another merchant.
 */
import { AssertionError } from 'node:assert';
import { gunzipSync } from 'node:zlib';
import type { MarkedMerchant } from '../../test/support/marked-merchants.ts';
import type { Principal } from './callers.ts';
import type { RawAnswer } from './client.ts';
import { createWordSearch, type WordSearch } from './find-words.ts';
import type { FuzzRequest } from './requests.ts';
import type { Surface } from './targets.ts';

export type Fault = {
  /** Equal for the same failure, so that each is reported once. */
  readonly key: string;
  readonly words: string;
};

/** An address that affects routing: a refusal of any other part comes before routing. */
const plain = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
/** Internal terms in the message of a refusal. */
const inside = /node_modules|\.ts:\d|\bat \S+ \(|insert into|violates|syntax error|pg_/;

export type Judge = {
  /** From now on answers are searched for their secrets. */
  know(merchants: readonly MarkedMerchant[]): void;
  judge(request: FuzzRequest, answer: RawAnswer, principal: Principal): Fault | undefined;
};

export function createJudge({ contracts }: Surface): Judge {
  const owners = new Map<string, MarkedMerchant>();
  let search: WordSearch = () => [];

  function leakIn(bytes: Buffer, { sees }: Principal): string | undefined {
    if (sees === 'all') return undefined;
    const other = search(bytes)
      .map((secret) => owners.get(secret))
      .find((merchant) => merchant !== sees);
    return other && `tells of ${other.code}`;
  }

  function contradiction(request: FuzzRequest, answer: RawAnswer, text: string): string | undefined {
    const { edge, method, url } = request;
    const [path = ''] = url.split('?', 1);
    const { status } = answer;
    // The answer was decompressed.
    const { 'content-encoding': _coding, ...headers } = answer.headers;
    const isListed = edge === 'api' ? /^\/(?:v1\/|readyz$)/.test(path) : /^\/(?:admin\/v1|api)\//.test(path);
    const isSwitched = request.headers.some(([name]) => name === 'upgrade' || name === 'host');
    if (!isListed || !plain.test(path) || isSwitched || path.endsWith('openapi.json')) {
      return status >= 400 && method !== 'HEAD' ? unlikeRefusal(request, text) : undefined;
    }
    try {
      contracts[edge].check({ method, url, sent: sentAsJson(request), status, headers, text });
      return undefined;
    } catch (error) {
      if (!(error instanceof AssertionError) && !(error instanceof SyntaxError)) throw error;
      return error.message;
    }
  }

  function judge(request: FuzzRequest, answer: RawAnswer, principal: Principal): Fault | undefined {
    const { status } = answer;
    const body = unpack(answer);
    const text = body.toString('utf8');
    const told = (kind: string, detail: string): Fault => ({
      key: `${kind}: ${request.edge} ${status} ${shapeOf(detail)}`,
      words: `${kind}: ${status} ${detail.slice(0, 1_000)}\n  answered ${text.slice(0, 500)}`,
    });
    // By route: the failure of one route does not explain that of another.
    if (status >= 500 && status !== 503) return told('failed', `at ${request.what}`);
    const leak = leakIn(body, principal);
    if (leak !== undefined) return told('leak', leak);
    if (status >= 400 && inside.test(text)) return told('inside', '');
    const other = contradiction(request, answer, text);
    return other === undefined ? undefined : told('not as documented', other);
  }

  return {
    judge,
    know: (merchants) => {
      for (const merchant of merchants) for (const secret of merchant.secrets) owners.set(secret, merchant);
      search = createWordSearch([...owners.keys()]);
    },
  };
}

/** The only requested encoding. */
function unpack({ headers, body }: RawAnswer): Buffer {
  return headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
}

/** Without the parts that differ between routes, because one failure may appear on many. */
function shapeOf(detail: string): string {
  return detail
    .replace(/^[A-Z]+ \/\S* \d+/, '')
    .replaceAll(/ in \{.*| in \[.*/gs, '')
    .slice(0, 200);
}

/** For the merchants' API, where an accepted request must match the document. */
function sentAsJson({ edge, body }: FuzzRequest): string | undefined {
  if (edge !== 'api' || body === undefined) return undefined;
  const text = body.toString('utf8');
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return text;
  } catch {
    return undefined;
  }
}

/** Answers of MCP, of pages, and of the health check, whose text names the problem. */
const unlike = / \/(?:mcp$|docs|guides|readyz$|v1\/healthz$)/;

function unlikeRefusal({ edge, what }: FuzzRequest, text: string): string | undefined {
  if (unlike.test(what)) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'a refusal that is no JSON';
  }
  const told: unknown =
    edge === 'api' || edge === 'admin'
      ? Reflect.get(Object(body), 'status') === 'error' && Reflect.get(Object(body), 'message')
      : Reflect.get(Object(Reflect.get(Object(body), 'error')), 'message');
  return typeof told === 'string' ? undefined : 'a refusal in another form';
}
