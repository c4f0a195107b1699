/** The host names that mean only this machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOnThisMachine, isThisMachine } from '../../src/core/this-machine.ts';

test('this machine is localhost, all of 127/8 and ::1, with and without the brackets of a URL', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]']) {
    assert.ok(isThisMachine(host), host);
  }
  for (const url of ['http://LOCALHOST:1/', 'http://127.1/', 'http://2130706433/', 'http://[0:0::1]/']) {
    assert.ok(isThisMachine(new URL(url).hostname), url);
  }
});

test('no other address is this machine, however similar', () => {
  for (const host of [
    ...[
      '',
      '0.0.0.0',
      '[::]',
      '10.0.0.1',
      '128.0.0.1',
      '127.0.0',
      '127.0.0.1.2',
      '127.0.0.1234',
      '[::1',
      '::1]',
    ],
    ...['localhost.', 'localhost.example', 'a.localhost', 'xlocalhost', '127.0.0.1.example', 'localhost\n'],
    ...['gateway.example', '[::2]', '[::ffff:127.0.0.1]'],
  ]) {
    assert.ok(!isThisMachine(host), host);
  }
  for (const url of ['http://127.0.0.1@gateway.example/', 'http://localhost:80@gateway.example/']) {
    assert.ok(!isThisMachine(new URL(url).hostname), url);
  }
});

test('reaches a listener on every address by loopback, and another by its own address', () => {
  for (const [host, reached] of [
    ['0.0.0.0', 'http://127.0.0.1:1/'],
    ['::', 'http://[::1]:1/'],
    ['10.0.0.0', 'http://10.0.0.0:1/'],
    ['::2', 'http://[::2]:1/'],
    ['localhost', 'http://localhost:1/'],
  ] as const) {
    assert.equal(new URL(`http://${hostOnThisMachine(host)}:1`).href, reached);
  }
});
