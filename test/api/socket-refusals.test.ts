/**
 * Requests that reach no route are refused in the same JSON: malformed HTTP, wrong headers,
 * tunnels, other protocols, unknown methods.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Reason, reasons } from '../../src/api/plumbing/reasons.ts';
import { airtimeSync, goodAirtime } from './harness.ts';
import { headerLines, listening, raw } from './socket.ts';

const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});
const { edge, port } = await listening({ after: (close) => void closers.push(close) });

/** Fails unless `answer` is one refusal with that status, in the common format. */
function assertRefused(answer: string, status: number, what: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), `${what}: ${answer}`);
  assert.match(head, /^content-type: application\/json/im, what);
  const { status: word, code, reason, message } = JSON.parse(body);
  const statuses: readonly number[] = reasons[reason as Reason]?.statuses ?? [];
  assert.ok(statuses.includes(status), `${what}: ${answer}`);
  assert.deepEqual([word, code, typeof message], ['error', status, 'string'], what);
  return head;
}

const whole = (answer: string): boolean => /\r\n\r\n\{.*\}$/s.test(answer);

const host = 'Host: x\r\n';
const health = 'GET /v1/healthz HTTP/1.1\r\n';
const purchase = `POST ${airtimeSync} HTTP/1.1\r\n${host}${headerLines()}`;

for (const [what, status, bytes] of [
  ['a line that is none', 400, 'hello\r\n\r\n'],
  ['a method that HTTP does not know', 400, `BUY / HTTP/1.1\r\n${host}\r\n`],
  ['a version that is none', 400, `GET /v1/healthz HTTP/9.9\r\n${host}\r\n`],
  ['the greeting of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the greeting of TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a header without a colon', 400, `${health}${host}nonsense\r\n\r\n`],
  ['a header with a control character', 400, `${health}${host}X-A: a\x00b\r\n\r\n`],
  ['a header over two lines', 400, `${health}${host}X-A: a\r\n b\r\n\r\n`],
  ['headers that are too long', 431, `${health}${host}X-A: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a path that is too long', 431, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a length that is no number', 400, `${purchase}Content-Length: x\r\n\r\n`],
  ['two lengths', 400, `${purchase}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ['a chunk whose size is none', 400, `${purchase}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['a chunk longer than its size', 400, `${purchase}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`],
  ['a transfer coding that nobody knows', 400, `${purchase}Transfer-Encoding: brotli\r\n\r\n{}`],
  ['a tunnel', 405, `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`],
] as const) {
  test(`answers ${what} with ${status}, in JSON, and closes the connection`, async () => {
    const head = assertRefused(await raw(port, bytes), status, what);
    assert.match(head, /^connection: close$/im);
    if (status === 405) assert.match(head, /^allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST$/im);
  });
}

for (const [what, status, bytes] of [
  ['no Host', 400, `${health}\r\n`],
  ['no Host, on a path that is none', 400, 'GET /nowhere HTTP/1.1\r\n\r\n'],
  ['an expectation nobody can meet', 417, `${health}${host}Expect: a-miracle\r\n\r\n`],
  ['a method that the path has not', 405, `TRACE /v1/healthz HTTP/1.1\r\n${host}\r\n`],
  ['a method that no path has', 405, `PROPFIND /v1/healthz HTTP/1.1\r\n${host}\r\n`],
  ['a method that no path has, and a path that is none', 404, `PURGE /x HTTP/1.1\r\n${host}\r\n`],
  ['another protocol, asked for without a credential', 401, upgrade('/v1/wallet/balance')],
  ['a path that cannot be decoded', 400, `GET /v1/plans/%ff HTTP/1.1\r\n${host}\r\n`],
  ['a whole address of a path that is none', 404, `GET http://x/nowhere HTTP/1.1\r\n${host}\r\n`],
  ['a media type that is none', 400, `${purchase}Content-Type: ;;;\r\nContent-Length: 1\r\n\r\nx`],
  ['no body', 400, `${purchase}Content-Length: 0\r\n\r\n`],
] as const) {
  test(`answers ${what} with ${status}, in JSON, and keeps the connection`, async () => {
    const answer = await raw(port, bytes, whole);
    const head = assertRefused(answer, status, what);
    assert.doesNotMatch(head, /^connection: close$/im);
  });
}

function upgrade(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
}

test('a request for another protocol is answered in HTTP/1.1; HTTP/1.0 without Host is served', async () => {
  const ok = (answer: string): boolean => answer.includes('"status":"ok"');
  assert.match(await raw(port, upgrade('/v1/healthz'), ok), /^HTTP\/1\.1 200 /);
  assert.match(await raw(port, 'GET /v1/healthz HTTP/1.0\r\n\r\n', ok), /^HTTP\/1\.[01] 200 /);
  assert.match(await raw(port, `GET http://x/v1/healthz HTTP/1.1\r\n${host}\r\n`, ok), /^HTTP\/1\.1 200 /);
});

test('OPTIONS of the server as a whole is 204 and names all methods', async () => {
  const answer = await raw(port, `OPTIONS * HTTP/1.1\r\n${host}\r\n`, (text) => text.includes('\r\n\r\n'));
  assert.match(answer, /^HTTP\/1\.1 204 /);
  assert.match(answer, /^allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST\r$/im);
});

test('none of these requests bought anything, and the next request is served', async () => {
  assert.equal(edge.purchases.length, 0);
  const body = JSON.stringify(goodAirtime);
  const answer = await raw(port, `${purchase}Content-Length: ${body.length}\r\n\r\n${body}`, whole);
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test('headers that do not arrive time out, in JSON', async (t) => {
  const slow = await listening(t, { limits: { requestTimeoutMs: 300, headersTimeoutMs: 300 } });
  assertRefused(await raw(slow.port, health), 408, 'half a head');
});
