/** How long `oja merchant-purchase try` waits for the API: as long as the API itself may wait. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { operator, runOja } from './harness.ts';

test('waits for the API’s configured deadline and a margin, and no longer', async (t) => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const { key } = await cli.json('credential', 'issue', 'SHOP', '--env', 'test');
  const secretFile = join(cli.settings.OJA_DATA_DIR ?? '', 'secret.txt');
  await writeFile(secretFile, 'a-secret\n', { mode: 0o600 });
  const waits: { readonly ms: number; readonly end: AbortController }[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    const end = new AbortController();
    waits.push({ ms, end });
    return end.signal;
  });
  let slowMs = 0;
  const api = createServer((request, response) => {
    request.resume();
    // The elapsed time on the clock of the caller.
    for (const { ms, end } of waits) if (ms <= slowMs) end.abort();
    response.end('{"status":"success"}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const ask = async (deadlineS: string | undefined, seconds: number) => {
    slowMs = 1_000 * seconds;
    waits.length = 0;
    return await runOja(
      {
        ...cli.settings,
        PORT: String(port),
        ...(deadlineS !== undefined && { OJA_SYNC_DEADLINE_S: deadlineS }),
      },
      [
        ...['merchant-purchase', 'try', 'SHOP', key, '--secret-file', secretFile],
        ...['--number', '08000000101', '--reference', 'slow-1'],
      ],
    );
  };
  try {
    for (const [deadlineS, seconds, isAnswered] of [
      [undefined, 60, true],
      [undefined, 80, false],
      ['600', 601, true],
      ['600', 620, false],
      ['5', 25, false],
    ] as const) {
      const ran = await ask(deadlineS, seconds);
      const says = `${deadlineS} s, after ${seconds} s: ${ran.err}`;
      assert.equal(ran.code, isAnswered ? 0 : 1, says);
      if (!isAnswered) assert.equal(ran.refused, 'api_silent', says);
    }
  } finally {
    api.close();
  }
});
