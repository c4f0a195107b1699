/** Settings from files, as the gateway and the commands read them. */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig, type Variables } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { readSettingFiles } from '../../src/app/setting-files.ts';
import { findUnknownSettings } from '../../src/app/unknown-settings.ts';
import { accountOf } from '../../src/operate/keys/provider-credentials.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-settings-'));
cleanUpAfter(folder);
const registries = registriesOf({});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

function load(variables: Variables): ReturnType<typeof loadConfig> {
  return loadConfig(readSettingFiles({ OJA_PROFILE: 'production', ...variables }), registries);
}

function faultsOf(variables: Variables): readonly string[] {
  try {
    load(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.split(' ', 1)[0] ?? '');
    throw error;
  }
}

describe('settings from files', async () => {
  const key = await file('key', `${'5'.repeat(64)}\n`);
  const url = await file('url', 'postgresql://oja:p%20w@db/oja\r\n');

  it('read the file without line breaks at its end', () => {
    const read = load({ DATABASE_URL_FILE: url, OJA_ENCRYPTION_KEY_FILE: key });
    const given = load({
      DATABASE_URL: 'postgresql://oja:p%20w@db/oja',
      OJA_ENCRYPTION_KEY: '5'.repeat(64),
    });
    assert.equal(read.databaseUrl, given.databaseUrl);
    assert.deepEqual(read.encryptionKey, given.encryptionKey);
  });

  it('complete the account of a provider under the same names as variables', async () => {
    const given = {
      OJA_NOMBA_ACCOUNT_ID: 'parent',
      OJA_NOMBA_SUB_ACCOUNT_ID: 'sub',
      OJA_NOMBA_CLIENT_ID: 'client',
      OJA_NOMBA_CLIENT_SECRET: 'secret',
      OJA_NOMBA_SIGNATURE_KEY: 'signature',
    };
    const files: Record<string, string> = {};
    for (const [name, value] of Object.entries(given)) {
      files[`${name}_FILE`] = await file(name, `${value}\n`);
    }
    const production = { DATABASE_URL_FILE: url, OJA_ENCRYPTION_KEY_FILE: key };
    assert.equal(load({ ...production, ...files }).providers.has('nomba'), true);
    const nomba = registries.providers.find(({ name }) => name === 'nomba');
    assert.ok(nomba !== undefined);
    const pepper = createSecretKey(Buffer.alloc(32, 5));
    const account = accountOf(pepper, nomba, readSettingFiles(files));
    assert.equal(account, accountOf(pepper, nomba, given));
    assert.notEqual(account, accountOf(pepper, nomba, files));
  });

  it('refuse a missing file, and a setting that is set twice', async () => {
    const good = { DATABASE_URL_FILE: url, OJA_ENCRYPTION_KEY_FILE: key };
    assert.deepEqual(faultsOf(good), []);
    const gone = { ...good, OJA_ENCRYPTION_KEY_FILE: join(folder, 'gone') };
    assert.ok(faultsOf(gone).includes('OJA_ENCRYPTION_KEY_FILE'));
    assert.deepEqual(faultsOf({ ...good, OJA_ENCRYPTION_KEY: '5'.repeat(64) }), ['OJA_ENCRYPTION_KEY']);
    assert.ok(faultsOf({ ...good, DATABASE_URL_FILE: folder }).includes('DATABASE_URL_FILE'));
  });

  it('treat an empty file as absent', async () => {
    const empty = await file('empty', '\n');
    const faults = faultsOf({ DATABASE_URL_FILE: url, OJA_ENCRYPTION_KEY_FILE: empty });
    assert.deepEqual(faults, ['OJA_ENCRYPTION_KEY']);
  });

  it('suggest the name of a misspelt setting, and ignore those of other programs', () => {
    const variables = readSettingFiles({ OJA_ENCRYPTON_KEY_FILE: key, SSL_CERT_FILE: key });
    assert.deepEqual(findUnknownSettings(variables, registries), [
      { name: 'OJA_ENCRYPTON_KEY', nearest: 'OJA_ENCRYPTION_KEY' },
    ]);
    const unread = readSettingFiles({ OJA_ENCRYPTION_KEY_FILE: join(folder, 'gone') });
    assert.deepEqual(findUnknownSettings(unread, registries), []);
    assert.equal('SSL_CERT' in variables, false);
  });
});
