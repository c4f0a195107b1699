/** The settings of HAProxy that the failover drill takes from the document. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findProgram } from '../../lab/failover/programs.ts';
import { haproxySettings } from '../../lab/failover/routers.ts';

const run = promisify(execFile);
const members = [
  { name: 'one', port: 5501, restPort: 8101 },
  { name: 'two', port: 5502, restPort: 8102 },
];

describe('the settings of HAProxy in the document', () => {
  it('send clients to the primary that Patroni reports, and close the sessions of a lost member', async () => {
    const lines = (await haproxySettings(5432, members)).split('\n').map((line) => line.trim());
    assert.ok(lines.includes('option httpchk OPTIONS /primary'));
    assert.ok(lines.includes('http-check expect status 200'));
    assert.ok(lines.some((line) => /^default-server .*\bon-marked-down shutdown-sessions\b/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /^(?:bind|server) /.test(line)),
      [
        'bind 127.0.0.1:5432',
        'server one 127.0.0.1:5501 maxconn 150 check port 8101',
        'server two 127.0.0.1:5502 maxconn 150 check port 8102',
      ],
    );
  });

  const haproxy = findProgram('haproxy');
  it('are accepted by HAProxy', { skip: haproxy === undefined && 'haproxy is not installed' }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oja-haproxy-'));
    try {
      const check = async (settings: string): Promise<unknown> => {
        await writeFile(join(folder, 'haproxy.cfg'), settings);
        return await run(haproxy ?? '', ['-c', '-f', join(folder, 'haproxy.cfg')]);
      };
      const settings = await haproxySettings(5432, members);
      await check(settings);
      await assert.rejects(check(settings.replace('mode tcp', 'mode tpc')));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
