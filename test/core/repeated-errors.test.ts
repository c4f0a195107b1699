/** How often a repeated error is logged, and how often with its stack. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createLog } from '../../src/core/log.ts';
import { RepeatedErrors } from '../../src/core/repeated-errors.ts';

/** The lines of the log while `write` runs. */
function linesOf(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  write(createLog('info', destination));
  const stacks = lines.filter(({ err }) => (err as { stack?: string } | undefined)?.stack !== undefined);
  return { lines, stacks };
}

function diskFull(): Error {
  return Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
}

describe('a repeated error', () => {
  it('logs one line with its stack, and then none for a while', () => {
    const { lines, stacks } = linesOf((log) => {
      for (let at = 0; at < 400; at += 1) log.warn({ err: diskFull(), job: 'deliveries' }, 'a round failed');
    });
    assert.deepEqual([lines.length, stacks.length], [1, 1]);
  });

  it('keeps a bounded number of subjects, and one stack', () => {
    const { lines, stacks } = linesOf((log) => {
      for (let at = 0; at < 400; at += 1) log.error({ err: diskFull(), reqId: `r${at}` }, 'request failed');
    });
    assert.ok(lines.length > 1 && lines.length <= 20, `${lines.length} lines`);
    assert.equal(stacks.length, 1);
    const [, second] = lines;
    assert.deepEqual(second?.err, { type: 'Error', message: diskFull().message, code: '53100' });
  });

  it('hides no other error, job or line', () => {
    const { lines, stacks } = linesOf((log) => {
      for (const job of ['deliveries', 'deposits']) log.warn({ err: diskFull(), job }, 'a round failed');
      log.warn({ err: new TypeError('another'), job: 'deposits' }, 'a round failed');
      for (let at = 0; at < 30; at += 1) log.info({ at }, 'request');
      for (let at = 0; at < 30; at += 1) log.warn({ at }, 'without an error');
    });
    assert.deepEqual([lines.length, stacks.length], [63, 3]);
  });

  it('logs it again after a while, with the number of omitted lines', () => {
    let nowMs = 0;
    const errors = new RepeatedErrors(() => nowMs);
    const told: string[] = [];
    for (; nowMs < 130_000; nowMs += 100) {
      const line = errors.take('kind', { hasSubject: false });
      if (line !== undefined) told.push(`${nowMs / 1_000} ${line.form} ${line.omitted}`);
    }
    assert.deepEqual(told.slice(0, 3), ['0 whole 0', '10 brief 99', '20 brief 99']);
    assert.deepEqual(
      told.filter((line) => line.includes('whole')),
      ['0 whole 0', '60 whole 99', '120 whole 99'],
    );
    assert.equal(told.length, 13);
  });
});
