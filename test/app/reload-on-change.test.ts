/** Prices, routes and guards are reloaded after a notification, a lost connection and a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadOnChange } from '../../src/app/reload-on-change.ts';
import { createLog } from '../../src/core/log.ts';
import type { ListenHandlers } from '../../src/db/listen.ts';
import { until } from '../support/until.ts';

function open() {
  let handlers: ListenHandlers | undefined;
  const reloads = { catalog: 0, routes: 0, guards: 0, restoreLock: 0, providers: 0 };
  let failures = 0;
  const count = (what: keyof typeof reloads) => async (): Promise<void> => {
    reloads[what] += 1;
    if (failures > 0) {
      failures -= 1;
      throw new Error('the database is away');
    }
  };
  const reloading = reloadOnChange(
    {
      listen: (_channel, given) => {
        handlers = given;
        return { [Symbol.asyncDispose]: async () => undefined };
      },
    },
    {
      catalog: { reload: count('catalog') },
      routes: { reload: count('routes') },
      guards: { reload: count('guards') },
      restoreLock: { reload: count('restoreLock') },
      providers: { reload: count('providers') },
    },
    createLog('silent'),
  );
  return {
    reloading,
    reloads,
    notice: (payload: string) => handlers?.onNotice(payload),
    up: () => handlers?.onUp(),
    fail: (times: number) => {
      failures = times;
    },
    [Symbol.asyncDispose]: () => reloading[Symbol.asyncDispose](),
  };
}

test('reloads what a notice names, and everything after a new connection', async () => {
  await using opened = open();
  opened.notice('plans');
  assert.deepEqual(opened.reloads, { catalog: 1, routes: 0, guards: 0, restoreLock: 0, providers: 0 });
  opened.notice('routes');
  assert.deepEqual(opened.reloads, { catalog: 1, routes: 1, guards: 0, restoreLock: 0, providers: 0 });
  opened.notice('guards');
  opened.notice('restore_lock');
  opened.notice('providers');
  assert.deepEqual(opened.reloads, { catalog: 1, routes: 1, guards: 1, restoreLock: 1, providers: 1 });
  opened.notice('credentials');
  opened.up();
  assert.deepEqual(opened.reloads, { catalog: 2, routes: 2, guards: 2, restoreLock: 2, providers: 2 });
  await opened.reloading.reloadAll();
  assert.deepEqual(opened.reloads, { catalog: 3, routes: 3, guards: 3, restoreLock: 3, providers: 3 });
});

test('a failed reload is retried until it succeeds or the process stops', async () => {
  await using opened = open();
  opened.fail(2);
  opened.notice('plans');
  await until('it is done', () => opened.reloads.catalog === 3);
  opened.fail(1);
  opened.notice('routes');
  await opened.reloading[Symbol.asyncDispose]();
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.deepEqual(opened.reloads, { catalog: 3, routes: 1, guards: 0, restoreLock: 0, providers: 0 });
});
