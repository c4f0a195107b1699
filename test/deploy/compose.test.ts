/** The compose files, and the files that they mount. Docker is not needed. */
import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { settingNames } from '../support/write-settings.ts';
import { faultsOfCompose, readCompose, type Service } from './compose-file.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const texts = { production: read('compose.yaml'), demo: read('compose.demo.yaml') };
const answers = { DOMAIN: 'shop.example', EMAIL: 'ada@shop.example' };
const production = readCompose(texts.production, answers);
const demo = readCompose(texts.demo, {});
const all = [...Object.entries(production.services), ...Object.entries(demo.services)];
const gateways = Object.entries(production.services).filter(([name]) => /^gateway-\d$/.test(name));

/** The files that a service mounts from the folder of its file. */
function mounted({ volumes = [] }: Service): string[] {
  return volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? '');
}

describe('the compose files', () => {
  it('the compose files match the Compose Specification', () => {
    for (const text of Object.values(texts)) assert.deepEqual(faultsOfCompose(text), []);
  });

  it('a misspelt key or a wrong type would not match', () => {
    const misspelt = texts.production.replace('read_only: true', 'readonly: true');
    assert.notDeepEqual(faultsOfCompose(misspelt), []);
    const wrong = texts.demo.replace(/ports:\n(?: +- .*\n)+/, 'ports: 8080\n');
    assert.notDeepEqual(faultsOfCompose(wrong), []);
  });

  it('the compose files require the domain and the address for certificates', () => {
    for (const name of ['DOMAIN', 'EMAIL'] as const) {
      assert.throws(() => readCompose(texts.production, { ...answers, [name]: '' }));
    }
  });

  it('the compose files mount files that exist, and run executable scripts', () => {
    for (const path of all.flatMap(([, service]) => mounted(service))) {
      assert.ok(existsSync(join(root, path)), path);
      if (path.endsWith('.sh')) accessSync(join(root, path), constants.X_OK);
    }
  });

  it('use only volumes and secrets that they define', () => {
    for (const { services, volumes = {}, secrets = {} } of [production, demo]) {
      for (const service of Object.values(services)) {
        for (const secret of service.secrets ?? []) assert.ok(secret in secrets, secret);
        const named = (service.volumes ?? []).filter((volume) => !volume.startsWith('.'));
        for (const volume of named) assert.ok((volume.split(':')[0] ?? '') in volumes, volume);
      }
    }
  });

  it('have no secret in a variable', () => {
    for (const [name, { environment = {} }] of all) {
      for (const [variable, value] of Object.entries(environment)) {
        const isSecret = /PASS|SECRET|KEY/.test(variable) && !variable.endsWith('_FILE');
        assert.ok(!isSecret, `${name} ${variable}`);
        assert.doesNotMatch(String(value), /:\/\/[^/]*:[^/]*@/);
      }
    }
  });

  it('open only the ports of TLS to other machines', () => {
    const open = all.flatMap(([, { ports = [] }]) => ports).filter((port) => !port.startsWith('127.0.0.1:'));
    assert.deepEqual(open, ['80:80', '443:443', '443:443/udp']);
  });
});

describe('the production of the compose file', () => {
  it('has two gateways with their own folders, as a user without rights', () => {
    assert.equal(gateways.length, 2);
    const data = gateways.map(([, { volumes = [] }]) => volumes.find((one) => one.endsWith(':/var/lib/oja')));
    assert.equal(new Set(data).size, 2);
    for (const [, { read_only }] of gateways) assert.equal(read_only, true);
  });

  it('gives the gateways settings that they know and accept', () => {
    for (const [, { environment = {}, stop_grace_period = '' }] of gateways) {
      const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
      assert.deepEqual(
        names.filter((name) => !settingNames().has(name)),
        [],
      );
      const { OJA_ENCRYPTION_KEY_FILE: _, ...rest } = environment;
      const config = loadConfig(
        { ...rest, OJA_PROFILE: 'production', OJA_ENCRYPTION_KEY: '5'.repeat(64) },
        registriesOf({}),
      );
      assert.ok(Number(stop_grace_period.replace(/s$/, '')) * 1_000 > config.stopGraceMs + config.drainMs);
    }
  });

  it('stores everything that an acknowledged purchase needs in PostgreSQL', () => {
    const { command = [] } = production.services.postgres ?? {};
    assert.doesNotMatch(command.join(' '), /fsync|synchronous_commit|full_page_writes/);
    // The archive is pgBackRest's, which checks the command by its name.
    assert.ok(command.some((argument) => /^-carchive_command=.*pgbackrest.* %p$/.test(argument)));
  });

  it('starts backups and monitoring only on request', () => {
    const withProfile = Object.entries(production.services)
      .filter(([, { profiles }]) => profiles !== undefined)
      .map(([name, { profiles = [] }]) => `${name}: ${profiles.join()}`);
    assert.deepEqual(withProfile, [
      'backup: backup',
      'backup-record: backup',
      'prometheus: monitoring',
      'grafana: monitoring',
    ]);
  });

  it('scrapes and balances each gateway', () => {
    const { scrape_configs: jobs } = parse(read('deploy/compose/prometheus.yaml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const names = gateways.map(([name]) => name);
    assert.deepEqual(
      jobs.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets)),
      names.map((name) => `${name}:9464`),
    );
    const upstreams = read('deploy/compose/Caddyfile').match(/reverse_proxy .*(?= \{)/g) ?? [];
    assert.deepEqual(
      upstreams,
      [8080, 8082, 8083].map((port) => `reverse_proxy ${names.map((name) => `${name}:${port}`).join(' ')}`),
    );
  });
});
