/** Which servers DATABASE_URL names, what is refused of it, and which one is tried next. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { chooseServer } from '../../src/db/choose-server.ts';
import { readServerList, ServerListError } from '../../src/db/server-list.ts';

const choosy = 'target_session_attrs=read-write';

function namesOf(url: string): string[] {
  return readServerList(url).servers.map(({ name }) => name);
}

describe('a list of servers', () => {
  it('is read as libpq reads it', () => {
    const cases: Record<string, string[]> = {
      'postgres://u:p@h1:5432,h2:5433/oja': ['h1:5432', 'h2:5433'],
      'postgresql://u@h1,h2:6000,h3/oja': ['h1:5432', 'h2:6000', 'h3:5432'],
      'postgresql://u@[::1]:5433,[fd00::2]/oja': ['[::1]:5433', '[fd00::2]:5432'],
      'postgresql:///oja?host=h1,h2&port=5432,5433': ['h1:5432', 'h2:5433'],
      'postgresql:///oja?host=h1,::1&port=6432': ['h1:6432', '[::1]:6432'],
      'postgresql:///oja?host=/run/a,/run/b&port=1,2': ['/run/a:1', '/run/b:2'],
      'postgresql://%2Frun%2Fa,h2/oja': ['/run/a:5432', 'h2:5432'],
    };
    for (const [url, names] of Object.entries(cases)) {
      assert.deepEqual(namesOf(`${url}${url.includes('?') ? '&' : '?'}${choosy}`), names, url);
    }
  });

  it('becomes a URL for each, with all that is not about the others', () => {
    const url = `postgresql://u:p%40ss@h1:5433,%2Frun%2Fpg/oja?${choosy}&sslmode=disable&port=`;
    const clients = readServerList(url).servers.map(
      ({ connectionString }) => new pg.Client({ connectionString }),
    );
    assert.deepEqual(
      clients.map(({ user, password, host, port, database, ssl }) => [
        ...[user, password, host, port, database, ssl],
      ]),
      [
        ['u', 'p@ss', 'h1', 5433, 'oja', false],
        ['u', 'p@ss', '/run/pg', 5432, 'oja', false],
      ],
    );
  });

  it('has TLS for each server by its own name', () => {
    const { servers } = readServerList(
      `postgresql://u@db1.example,db2.example/oja?${choosy}&sslmode=verify-full`,
    );
    for (const [index, { connectionString }] of servers.entries()) {
      const client = new pg.Client({ connectionString });
      assert.equal(client.host, `db${index + 1}.example`);
      assert.ok(client.ssl);
    }
  });

  it('leaves the URL of one server as it is', () => {
    for (const url of [
      'postgresql://db/oja',
      'postgres:///oja?host=%2Frun%2Fpostgresql',
      'postgresql://u@db',
    ]) {
      const { servers, mustWrite } = readServerList(url);
      assert.deepEqual([servers.map((server) => server.connectionString), mustWrite], [[url], false]);
    }
    assert.ok(readServerList(`postgresql://db/oja?${choosy}`).mustWrite);
    assert.ok(readServerList('postgresql://db/oja?target_session_attrs=primary').mustWrite);
    assert.ok(!readServerList('postgresql://db/oja?target_session_attrs=any').mustWrite);
  });

  it('may say how long each server has', () => {
    assert.equal(readServerList('postgresql://db/oja?connect_timeout=3').connectTimeoutMs, 3_000);
    assert.equal(readServerList('postgresql://db/oja').connectTimeoutMs, undefined);
  });

  it('is refused in one line that names what is wrong, and quotes no password', () => {
    const cases: Record<string, string> = {
      'mysql://u:hunter2@h1/oja': 'scheme',
      'postgres://u:hunter2@h1,h2/oja': 'session_attrs_missing',
      'postgres://u:hunter2@h1,h2/oja?target_session_attrs=any': 'session_attrs_missing',
      'postgres://u:hunter2@h1,h2/oja?target_session_attrs=standby': 'session_attrs',
      'postgres://u:hunter2@h1/oja?target_session_attrs=prefer-standby': 'session_attrs',
      'postgres://u:hunter2@h1/oja?target_session_attrs=hunter2': 'session_attrs',
      [`postgres://u:hunter2@h1,,h2/oja?${choosy}`]: 'comma',
      [`postgres://u:hunter2@h1,/oja?${choosy}`]: 'comma',
      [`postgres://u:hunter2@h1,h2/oja?port=1,2,3&${choosy}`]: 'ports',
      [`postgres://u:hunter2@h1:x,h2/oja?${choosy}`]: 'port',
      [`postgres://u:hunter2@h1:70000,h2/oja?${choosy}`]: 'port',
      [`postgres://u:hunter2@h 1,h2/oja?${choosy}`]: 'server_name',
      'postgres://u:hunter2@h1/oja?connect_timeout=soon': 'connect_timeout',
      'postgres://u:hunter2@h1/oja?connect_timeout=0': 'connect_timeout',
    };
    for (const [url, code] of Object.entries(cases)) {
      assert.throws(
        () => readServerList(url),
        (error) =>
          error instanceof ServerListError && error.code === code && !/hunter2|\n/.test(error.message),
        url,
      );
    }
  });
});

describe('the server to try next', () => {
  const now = 100_000;

  it('is the first of the list, of those that were not found to be no good a moment ago', () => {
    assert.equal(chooseServer([undefined, undefined, undefined], now), 0);
    assert.equal(chooseServer([now - 1_000, undefined, undefined], now), 1);
    assert.equal(chooseServer([now - 11_000, undefined, undefined], now), 0);
    assert.equal(chooseServer([now - 1_000, now - 1_000, now - 11_000], now), 2);
  });

  it('is the one that was tried the longest ago, where none was good', () => {
    assert.equal(chooseServer([now - 1_000, now - 3_000, now - 2_000], now), 1);
    assert.equal(chooseServer([now - 1], now), 0);
  });
});
