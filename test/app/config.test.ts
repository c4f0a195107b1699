/** Settings: defaults for a new user, every error at once, no secret in a message. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, ConfigError, loadConfig } from '../../src/app/config.ts';
import { addressOfAudience } from '../../src/app/console-config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { defineBank } from '../../src/funding/banks/bank-definition.ts';
import { builtInBanks } from '../../src/funding/banks/registry.ts';

const key = 'ab'.repeat(32);

function load(variables: Record<string, string>): Config {
  return loadConfig(variables, registriesOf());
}

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    load(variables);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  return [];
}

/** The setting that each error is about: the first name in it. */
function settingsAtFault(variables: Record<string, string>): readonly (string | undefined)[] {
  return faultsOf(variables).map((fault) => /\b[A-Z][A-Z0-9_]*_[A-Z0-9_]+\b/.exec(fault)?.[0]);
}

describe('settings', () => {
  it('the demo requires no settings', () => {
    const config = load({});
    assert.equal(config.profile, 'demo');
    assert.equal(config.port, 8080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.role, 'all');
    assert.equal(config.databaseUrl, undefined);
    assert.equal(config.notFoundGraceMs, 15_000);
  });

  it('shorten durations by a time scale, which production refuses', () => {
    const config = load({ OJA_TIME_SCALE: '0.1', OJA_SYNC_DEADLINE_S: '30' });
    const { timeScale, syncDeadlineMs, notFoundGraceMs, fundingSweepMs, drainMs } = config;
    assert.deepEqual(
      { timeScale, syncDeadlineMs, notFoundGraceMs, fundingSweepMs, drainMs },
      {
        timeScale: 0.1,
        syncDeadlineMs: 3_000,
        notFoundGraceMs: 1_500,
        fundingSweepMs: 3_000,
        drainMs: 13_000,
      },
    );
    assert.deepEqual([load({}).timeScale, load({}).drainMs], [1, 70_000]);
    const production = {
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
    };
    for (const refused of [
      { OJA_TIME_SCALE: '0' },
      { OJA_TIME_SCALE: '1.5' },
      { OJA_TIME_SCALE: '-0.1' },
      { OJA_TIME_SCALE: 'fast' },
      { ...production, OJA_TIME_SCALE: '0.5' },
      { ...production, OJA_TIME_SCALE: '1' },
    ]) {
      assert.deepEqual(
        faultsOf(refused).map((fault) => fault.split(' ')[0]),
        ['OJA_TIME_SCALE'],
      );
    }
  });

  it('accepts 1 to 16 cells for a new database, and sets none by default', () => {
    assert.equal(load({}).cells, undefined);
    for (const cells of [1, 8, 16]) assert.equal(load({ OJA_CELLS: `${cells}` }).cells, cells);
    for (const refused of ['0', '17', '-1', '2.5', 'many']) {
      assert.deepEqual(settingsAtFault({ OJA_CELLS: refused }), ['OJA_CELLS'], refused);
    }
  });

  it('production requires a database and a key', () => {
    const config = load({
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
    });
    assert.equal(config.notFoundGraceMs, 1_800_000);
    assert.deepEqual([...config.providers.keys()], ['sandbox']);
    assert.deepEqual([...config.banks.keys()], ['sandbox']);
    assert.equal(faultsOf({ OJA_PROFILE: 'production' }).length, 2);
  });

  it('production sends keys over http: to this machine only', () => {
    const production = {
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
    };
    const addresses = [
      'OJA_VTPASS_BASE_URL',
      'OJA_NOMBA_BASE_URL',
      'OJA_RELOADLY_BASE_URL',
      'OJA_ESIMACCESS_BASE_URL',
      'OJA_MONNIFY_BASE_URL',
      'OJA_PAYSTACK_BASE_URL',
      'OJA_TERMII_BASE_URL',
    ];
    const all = (url: string) => Object.fromEntries(addresses.map((name) => [name, url]));
    const about = (faults: readonly string[]) => faults.filter((fault) => fault.includes('https://'));
    for (const open of ['http://vtpass.example', 'http://127.0.0.1.example', 'http://10.0.0.7:8090']) {
      const faults = about(faultsOf({ ...production, ...all(open) }));
      for (const name of addresses)
        assert.ok(
          faults.some((fault) => fault.startsWith(`${name} must begin with https:// in production`)),
          `${name} ${open}`,
        );
      assert.deepEqual(about(faultsOf(all(open))), []);
    }
    for (const fine of [
      'https://vtpass.example',
      'http://127.0.0.1:1',
      'http://localhost:1',
      'http://[::1]:1',
    ])
      assert.deepEqual(about(faultsOf({ ...production, ...all(fine) })), []);
  });

  it('metrics listen on this machine only, wherever the API listens', () => {
    assert.equal(load({ HOST: '0.0.0.0' }).metricsHost, '127.0.0.1');
    assert.equal(load({ METRICS_HOST: '10.0.0.7' }).metricsHost, '10.0.0.7');
  });

  it('uses this machine’s name in links if the console listens on every address', () => {
    const { faces } = load({ OJA_CONSOLE_HOST: '0.0.0.0', OJA_PORTAL_URL: 'https://portal.example' });
    assert.equal(addressOfAudience(faces.console), 'http://127.0.0.1:8082');
    assert.equal(addressOfAudience(faces.portal), 'https://portal.example');
  });

  it('reports all errors at once', () => {
    const faults = faultsOf({
      PORT: '99999',
      OJA_ROLE: 'boss',
      OJA_RATE_LIMIT_PER_S: '-1',
      DATABASE_URL: 'mysql://x',
      OJA_LOG_LEVEL: 'loud',
      OJA_ENCRYPTION_KEY: 'short',
      OJA_STOP_AT: 'nowhere',
      OJA_TRUSTED_PROXIES: '10.0.0.0/8, everyone',
    });
    const named = [
      'PORT',
      'OJA_ROLE',
      'OJA_RATE_LIMIT_PER_S',
      'DATABASE_URL',
      'OJA_LOG_LEVEL',
      'OJA_ENCRYPTION_KEY',
      'OJA_STOP_AT',
      'OJA_TRUSTED_PROXIES',
    ];
    for (const name of named)
      assert.ok(
        faults.some((fault) => fault.startsWith(name)),
        name,
      );
    assert.equal(faults.length, named.length);
  });

  it('never quotes a secret', () => {
    const secret = 'hunter2hunter2';
    const faults = faultsOf({
      DATABASE_URL: `mysql://user:${secret}@db/oja`,
      OJA_ENCRYPTION_KEY: secret,
      OJA_VTPASS_SECRET_KEY: secret,
    });
    assert.ok(faults.length >= 3);
    assert.ok(!faults.join().includes(secret));
  });

  it('accepts one database address, and refuses a list of servers', () => {
    for (const url of [
      'postgresql://u:a,b@db:5432/oja',
      'postgresql:///oja?host=%2Frun%2Fpostgresql',
      'postgresql://db/oja?target_session_attrs=any',
    ])
      assert.equal(load({ DATABASE_URL: url }).databaseUrl, url);
    for (const url of [
      'postgresql://u:hunter2@db1:5432,db2:5432/oja',
      'postgresql://u:hunter2@db1,db2/oja',
      'postgresql://u:hunter2@/oja?host=db1%2Cdb2',
      'postgresql://u:hunter2@db/oja?target_session_attrs=read-write',
    ]) {
      const faults = faultsOf({ DATABASE_URL: url });
      assert.equal(faults.length, 1, url);
      assert.ok(faults[0]?.startsWith('DATABASE_URL') && !faults[0].includes('hunter2'), url);
    }
  });

  it('names the trusted proxies', () => {
    assert.deepEqual(load({}).trustedProxies, []);
    assert.deepEqual(load({ OJA_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies, ['10.0.0.0/8', '::1']);
  });

  it('names the web pages that browsers may call from', () => {
    assert.deepEqual(load({}).corsOrigins, []);
    const origins = 'https://shop.example, http://localhost:3000';
    assert.deepEqual(load({ OJA_CORS_ORIGINS: origins }).corsOrigins, origins.split(', '));
    for (const wrong of ['*', 'null', 'shop.example', 'https://shop.example/', 'https://Shop.example'])
      assert.deepEqual(settingsAtFault({ OJA_CORS_ORIGINS: wrong }), ['OJA_CORS_ORIGINS'], wrong);
  });

  it('sets how long documents are kept; without it they are kept', () => {
    assert.equal(load({}).documentDays, undefined);
    assert.equal(load({ OJA_DOCUMENT_DAYS: '0' }).documentDays, undefined);
    assert.equal(load({ OJA_DOCUMENT_DAYS: '90' }).documentDays, 90);
    assert.deepEqual(settingsAtFault({ OJA_DOCUMENT_DAYS: 'never' }), ['OJA_DOCUMENT_DAYS']);
  });

  it('lists the settings of providers and banks in the order of the registries', () => {
    const vtpass = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'b', OJA_VTPASS_SECRET_KEY: 'c' };
    const variables = { ...vtpass, OJA_RELOADLY_CLIENT_ID: 'a', OJA_RELOADLY_CLIENT_SECRET: 'b' };
    assert.deepEqual([...load(variables).providers.keys()], ['sandbox', 'vtpass', 'reloadly']);
    assert.deepEqual(
      [...load({ OJA_PAYSTACK_SECRET_KEY: 'sk_live_a' }).banks.keys()],
      ['sandbox', 'paystack'],
    );
    const faults = settingsAtFault({
      OJA_NOMBA_ACCOUNT_ID: 'a',
      OJA_ESIMACCESS_ACCESS_CODE: 'a',
      OJA_MONNIFY_API_KEY: 'a',
    });
    assert.deepEqual(faults, [
      'OJA_NOMBA_CLIENT_ID',
      'OJA_NOMBA_CLIENT_SECRET',
      'OJA_ESIMACCESS_SECRET_KEY',
      'OJA_MONNIFY_SECRET_KEY',
      'OJA_MONNIFY_CONTRACT_CODE',
    ]);
    const none = loadConfig(variables, registriesOf({ providers: [], banks: [] }));
    assert.deepEqual([none.providers.size, none.banks.size], [0, 0]);
  });

  it('replaces the limits of a provider', async () => {
    const keys = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'b', OJA_VTPASS_SECRET_KEY: 'c' };
    const limitsOf = async (variables: Record<string, string>) => {
      const configured = load({ ...keys, ...variables }).providers.get('vtpass');
      await using provider = (await configured?.open()) ?? assert.fail('VTpass has settings');
      const { orders } = provider.limiters ?? assert.fail('it has limiters');
      return [orders.use().callsMax, orders.perSecond];
    };
    assert.deepEqual(await limitsOf({}), [50, 0]);
    assert.deepEqual(await limitsOf({ OJA_PROVIDER_LIMITS: 'nomba=3,vtpass=7@4' }), [7, 4]);
    assert.deepEqual(settingsAtFault({ OJA_PROVIDER_LIMITS: 'sandbox=7' }), ['OJA_PROVIDER_LIMITS']);
  });

  it('gives the phone, the e-mail address and the name of the business to providers', () => {
    const business = {
      OJA_CONTACT_PHONE: '08031234567',
      OJA_CONTACT_EMAIL: 'bills@shop.example',
      OJA_BUSINESS_NAME: 'Mama Put',
    };
    const { contactPhone, contactEmail, businessName } = load(business);
    assert.deepEqual([contactPhone, contactEmail, businessName], Object.values(business));
    const none = load({});
    assert.deepEqual(
      [none.contactPhone, none.contactEmail, none.businessName],
      [undefined, undefined, 'Oja'],
    );
    assert.deepEqual(settingsAtFault({ OJA_CONTACT_PHONE: '0803' }), ['OJA_CONTACT_PHONE']);
    assert.deepEqual(settingsAtFault({ OJA_CONTACT_EMAIL: 'Shop <bills@shop.example>' }), [
      'OJA_CONTACT_EMAIL',
    ]);
    assert.deepEqual(settingsAtFault({ OJA_BUYPOWER_TOKEN: 'x' }), ['OJA_CONTACT_EMAIL']);
    assert.ok(load({ ...business, OJA_BUYPOWER_TOKEN: 'x' }).providers.has('buypower'));
  });

  it('requires a funding provider that is configured', () => {
    const production = {
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
      OJA_FUNDING_PROVIDER: 'paystack',
    };
    assert.deepEqual(settingsAtFault(production), ['OJA_FUNDING_PROVIDER']);
    const config = load({ ...production, OJA_PAYSTACK_SECRET_KEY: 'sk_live_a' });
    assert.equal(config.fundingProvider, 'paystack');
    assert.equal(config.fundingSweepMs, 300_000);
    assert.equal(load({ OJA_FUNDING_PROVIDER: 'paystack' }).fundingProvider, 'paystack');
    assert.deepEqual(settingsAtFault({ OJA_FUNDING_PROVIDER: 'bank' }), ['OJA_FUNDING_PROVIDER']);
    assert.deepEqual(settingsAtFault({ OJA_FUNDING_PROVIDER: 'sandbox' }), ['OJA_FUNDING_PROVIDER']);
    // A bank that the demo's simulator does not simulate.
    const ownBank = defineBank({
      name: 'own',
      currencies: ['NGN'],
      keyedByEmail: false,
      readSettings: () => undefined,
      connect: () => assert.fail('it has no settings'),
    });
    assert.throws(
      () => loadConfig({ OJA_FUNDING_PROVIDER: 'own' }, registriesOf({ banks: [...builtInBanks, ownBank] })),
      /\bOJA_FUNDING_PROVIDER\b.*\bown\b/,
    );
  });

  it('accepts the mail server as a URL, encrypted by default', () => {
    assert.equal(load({}).smtp, undefined);
    const from = 'Shop <cards@shop.example>';
    assert.deepEqual(load({ OJA_SMTP_URL: 'smtps://me:p%40ss@mail.example', OJA_SMTP_FROM: from }).smtp, {
      host: 'mail.example',
      port: 465,
      tls: 'implicit',
      user: 'me',
      password: 'p@ss',
      from,
    });
    const plain = { OJA_SMTP_URL: 'smtp://mail.example', OJA_SMTP_FROM: 'cards@shop.example' };
    const defaults = {
      host: 'mail.example',
      port: 587,
      tls: 'starttls',
      user: undefined,
      password: undefined,
    };
    assert.deepEqual(load(plain).smtp, { ...defaults, from: 'cards@shop.example' });
    const tlsOf = (url: string): unknown => load({ ...plain, OJA_SMTP_URL: url }).smtp?.tls;
    assert.equal(tlsOf('smtp://mail.example:465'), 'implicit');
    assert.equal(tlsOf('smtp://mail.example?tls=none'), 'none');
    for (const url of ['smtp://mail.example?tls=no', 'smtps://mail.example?tls=none'])
      assert.deepEqual(settingsAtFault({ ...plain, OJA_SMTP_URL: url }), ['OJA_SMTP_URL']);
    assert.deepEqual(settingsAtFault({ OJA_SMTP_URL: 'smtp://mail.example' }), ['OJA_SMTP_FROM']);
    assert.deepEqual(settingsAtFault({ OJA_SMTP_FROM: from }), ['OJA_SMTP_URL']);
    assert.deepEqual(settingsAtFault({ ...plain, OJA_SMTP_FROM: 'a@b.example\r\nBcc: c@d.example' }), [
      'OJA_SMTP_FROM',
    ]);
    const secret = faultsOf({ OJA_SMTP_URL: 'http://me:hunter2@mail.example', OJA_SMTP_FROM: from }).join();
    assert.ok(secret.includes('OJA_SMTP_URL') && !secret.includes('hunter2'));
  });

  it('requires all settings of Termii or none of them', () => {
    assert.equal(load({}).termii, undefined);
    assert.deepEqual(settingsAtFault({ OJA_TERMII_API_KEY: 'k' }), [
      'OJA_TERMII_BASE_URL',
      'OJA_TERMII_SENDER_ID',
    ]);
    const all = {
      OJA_TERMII_BASE_URL: 'https://x.api.termii.com',
      OJA_TERMII_API_KEY: 'k',
      OJA_TERMII_SENDER_ID: 'Shop',
    };
    assert.equal(load(all).termii?.smsChannel, 'dnd');
    assert.equal(load(all).termii?.whatsappDevice, undefined);
  });
});
