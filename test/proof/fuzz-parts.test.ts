/** Parts of the fuzz: its search for words, its curl lines, its slope of memory. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { curlLine } from '../../lab/fuzz/curl-line.ts';
import { createWordSearch } from '../../lab/fuzz/find-words.ts';
import { checkMemory } from '../../lab/fuzz/memory.ts';
import { toBytes, type WholeRequest } from '../../lab/fuzz/requests.ts';
import { answersText, createTally } from '../../lab/fuzz/tally.ts';

describe('the search for words', () => {
  const words = ['quokkazebraaa', 'quokkazebraab', '8037654321', 'whsec_AbCdEfGhIjKlMnOp', 'aaaaaaaaaab'];
  const search = createWordSearch(words);
  const find = (text: string): string[] => search(Buffer.from(text)).toSorted();

  it('finds a word anywhere, and nothing else', () => {
    assert.deepEqual(find(''), []);
    assert.deepEqual(find('quokkazebraa'), []);
    assert.deepEqual(find('08037654321'), ['8037654321']);
    assert.deepEqual(find('x'.repeat(999) + words.join('')), words.toSorted());
    assert.deepEqual(find('aaaaaaaaaaaaaaaaaab'), ['aaaaaaaaaab']);
  });

  it('finds what a plain search finds, in any text', () => {
    const pieces = ['a', 'aaaa', 'quokka', 'zebraa', 'b', '80376', '54321', '\u{1f4a5}', ...words];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        assert.deepEqual(find(text), words.filter((word) => text.includes(word)).toSorted());
      }),
      { seed: 16, numRuns: 500 },
    );
  });
});

describe('the report', () => {
  it('reports the time of each outcome, also where a short run had none', () => {
    const tally = createTally([]);
    Object.assign(tally.statuses.api, { 200: 3, 404: 1 });
    tally.waitedMs.api = 10;
    assert.equal(answersText(tally, 'api'), 'api: {"200":3,"404":1}, 2.5 ms each');
    assert.equal(answersText(tally, 'portal'), 'portal: no answers');
  });
});

const hasCurl = spawnSync('bash', ['-c', 'curl --version']).status === 0;

describe('a curl line', { skip: hasCurl ? false : 'there is no curl and bash here' }, () => {
  it('repeats a recorded request with any content', async () => {
    let heard = '';
    const server = createServer((socket) => {
      heard = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        heard += chunk;
        const [head, body] = splitAt(heard, '\r\n\r\n');
        const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
        if (head === '' || body.length < length) return;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`;
    const json = [
      ['content-type', 'application/json'],
      ['x-a', ''],
    ] as const;
    const plain = { method: 'POST', target: '/v1/a?b=c', headers: [...json], isChunked: false };
    const requests: readonly WholeRequest[] = [
      { ...plain, body: Buffer.from(`{"a":"it's $HOME \\\\ \`x\` !"}`) },
      { ...plain, body: Buffer.from('@file') },
      { ...plain, body: Buffer.from([0, 255, 10, 39]) },
      { ...plain, body: Buffer.alloc(0), method: 'DELETE' },
      { ...plain, body: undefined, method: 'GET', target: "/a/../%2e/\xff'b[1-2]{c}?q=*" },
      { ...plain, body: undefined, method: 'HEAD', headers: [['host', "evil.example'"]] },
      {
        ...plain,
        body: undefined,
        headers: [
          ['content-length', '0'],
          ['x-b', "k\xe9y 'q' \\ $x"],
        ],
      },
    ];
    for (const request of requests) {
      await promisify(execFile)('bash', ['-c', curlLine(request, url)]);
      const [head, body] = splitAt(heard, '\r\n\r\n');
      const [first, ...lines] = head.split('\r\n');
      assert.equal(first, `${request.method} ${request.target} HTTP/1.1`);
      const sent = new Set(lines.map((line) => line.toLowerCase()));
      for (const [name, value] of request.headers) {
        assert.ok(
          sent.has(`${name}: ${value}`.toLowerCase().trimEnd()) || sent.has(`${name}: ${value}`),
          `${name} in ${head}`,
        );
      }
      const added = lines.filter((line) => /^(?:accept|user-agent|expect):/i.test(line));
      assert.deepEqual(added, []);
      assert.equal(body, (request.body ?? Buffer.alloc(0)).toString('latin1'));
      assert.ok(toBytes(request).toString('latin1').endsWith(body));
    }
    server.close();
  });
});

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

describe('memory', () => {
  /** Forty samples of a million requests; the caches fill during the first 100,000. */
  const samples = (heapOf: (requests: number) => number, rssOf: (requests: number) => number) =>
    Array.from({ length: 40 }, (_, index) => {
      const requests = 25_000 * (index + 1);
      const filling = 40 * Math.min(1, requests / 100_000);
      return { requests, heapMb: 60 + filling + heapOf(requests), rssMb: 200 + filling + rssOf(requests) };
    });
  const wave = (requests: number): number => 3 * Math.sin(requests);
  const by = (mb: number) => (requests: number) => wave(requests) + (mb * requests) / 100_000;

  it('reports growing memory, and accepts caches that fill and stay', () => {
    assert.deepEqual(checkMemory(samples(wave, wave))?.faults, []);
    assert.match(String(checkMemory(samples(by(2), wave))?.faults), /^the heap grows by [12]\.\d MB/);
    assert.match(String(checkMemory(samples(wave, by(8)))?.faults), /^resident memory grows by [78]\.\d MB/);
  });

  it('makes no claim for a short run', () => {
    assert.equal(checkMemory(samples(wave, wave).slice(0, 7)), undefined);
  });
});
