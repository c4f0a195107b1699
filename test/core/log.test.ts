/** The parts of an error that a log line shows and omits. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createLog } from '../../src/core/log.ts';

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  createLog('info', destination).info(fields, 'happened');
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

describe('an error in the log', () => {
  it('logs an error by name, message, code, stack and cause', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const err = logged({ err: new TypeError('it broke', { cause }) }).err as Record<string, unknown>;
    assert.equal(err.type, 'TypeError');
    assert.equal(err.message, 'it broke');
    assert.match(String(err.stack), /log\.test\.ts/);
    assert.equal((err.cause as Record<string, unknown>).code, 'ECONNREFUSED');
  });

  it('omits every other property', () => {
    const client = { secretKey: 123_456_789, queries: ['select secret_hash from credentials'] };
    const line = JSON.stringify(
      logged({ err: Object.assign(new Error('cut'), { client, detail: 'Key (bvn)=(1)' }) }),
    );
    assert.doesNotMatch(line, /123456789|secret_hash|bvn/);
  });
});

describe('a log line', () => {
  it('omits tokens of meters', () => {
    const tokens = {
      token: '1'.repeat(20),
      bonus_token: '2'.repeat(20),
      kct1: '3'.repeat(20),
      kct2: '4'.repeat(20),
    };
    const line = JSON.stringify(logged({ goods: tokens, ...tokens }));
    assert.doesNotMatch(line, /\d{20}/);
    assert.equal(line.match(/\[redacted\]/g)?.length, 8);
  });
});
