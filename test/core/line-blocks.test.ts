/** The log of a process reaches its standard output, however the process ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

const log = new URL('../../src/core/log.ts', import.meta.url).href;

/** Writes this many log lines, then does something else. */
function logging(lines: number, then: string, word = 'ọja') {
  const script = `
    import { createLog } from ${JSON.stringify(log)};
    const log = createLog('info');
    for (let line = 0; line < ${lines}; line += 1) log.info({ line, word: ${JSON.stringify(word)} }, 'happened');
    ${then}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function numbersOf(output: string): number[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { line: number }).line);
}

describe('lines of the log', () => {
  // Some blocks and a part of one, or only a part.
  for (const [ending, lines, then] of [
    ['once they are flushed', 3_000, 'log.flush(() => process.exit(0));'],
    ['of a process that ends by itself', 3_000, ''],
    ['of a process that exits at once', 300, 'process.exit(0);'],
    [
      'of a process that an error ends',
      300,
      'process.on("uncaughtException", () => process.exit(1)); throw 1;',
    ],
  ] as const) {
    it(`lines of the log are whole and in order: ${ending}`, async () => {
      const numbers = numbersOf(await text(logging(lines, then).stdout));
      assert.deepEqual(
        numbers,
        Array.from({ length: lines }, (_, line) => line),
      );
    });
  }

  it('lines are whole and in order when each is longer than a block', async () => {
    const numbers = numbersOf(await text(logging(3, '', 'ọ'.repeat(40_000)).stdout));
    assert.deepEqual(numbers, [0, 1, 2]);
  });

  it('writes all lines before the process ends', async () => {
    await using child = Object.assign(logging(1, 'setInterval(() => undefined, 1_000);'), {
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    assert.deepEqual(numbersOf(line.toString()), [0]);
  });
});
