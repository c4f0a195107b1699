/** Settings: defaults for a newcomer, every fault at once, no secret in a message. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig } from '../../src/app/config.ts';

const key = 'ab'.repeat(32);

function faultsOf(environ: Record<string, string>): readonly string[] {
  try {
    loadConfig(environ);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  return [];
}

describe('settings', () => {
  it('need none for the demo', () => {
    const config = loadConfig({});
    assert.equal(config.profile, 'demo');
    assert.equal(config.port, 8080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.role, 'all');
    assert.equal(config.databaseUrl, undefined);
    assert.equal(config.notFoundGraceMs, 15_000);
  });

  it('for production name a database and a key', () => {
    const config = loadConfig({
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
    });
    assert.equal(config.notFoundGraceMs, 1_800_000);
    assert.equal(config.vtpass, undefined);
    assert.equal(faultsOf({ OJA_PROFILE: 'production' }).length, 2);
  });

  it('are refused with every fault at once', () => {
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

  it('never quote a secret', () => {
    const secret = 'hunter2hunter2';
    const faults = faultsOf({
      DATABASE_URL: `mysql://user:${secret}@db/oja`,
      OJA_ENCRYPTION_KEY: secret,
      OJA_VTPASS_SECRET_KEY: secret,
    });
    assert.ok(faults.length >= 3);
    assert.ok(!faults.join().includes(secret));
  });

  it('name the proxies whose word is believed', () => {
    assert.deepEqual(loadConfig({}).trustedProxies, []);
    assert.deepEqual(loadConfig({ OJA_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies, [
      '10.0.0.0/8',
      '::1',
    ]);
  });

  it('of Nomba are wanted all or none, and have defaults but for the account', () => {
    assert.equal(loadConfig({}).nomba, undefined);
    const all = { OJA_NOMBA_ACCOUNT_ID: 'a', OJA_NOMBA_CLIENT_ID: 'b', OJA_NOMBA_CLIENT_SECRET: 'c' };
    assert.deepEqual(loadConfig(all).nomba, {
      baseUrl: 'https://api.nomba.com',
      accountId: 'a',
      subAccountId: undefined,
      clientId: 'b',
      clientSecret: 'c',
      vendVersion: 'v1',
      payerName: 'Oja',
      signatureKey: undefined,
      purchasesPerSecond: 15,
      connectionsMax: 50,
      deadlineMs: 50_000,
      notFoundGraceMs: 86_400_000,
    });
    assert.deepEqual(
      faultsOf({ OJA_NOMBA_BASE_URL: 'https://sandbox.nomba.com', OJA_NOMBA_VEND_VERSION: 'v3' }).map(
        (fault) => fault.split(' ')[0],
      ),
      ['OJA_NOMBA_VEND_VERSION', 'OJA_NOMBA_ACCOUNT_ID', 'OJA_NOMBA_CLIENT_ID', 'OJA_NOMBA_CLIENT_SECRET'],
    );
  });

  it('of Reloadly are wanted all or none, and have defaults but for the account', () => {
    assert.equal(loadConfig({}).reloadly, undefined);
    const all = { OJA_RELOADLY_CLIENT_ID: 'a', OJA_RELOADLY_CLIENT_SECRET: 'b' };
    assert.deepEqual(loadConfig(all).reloadly, {
      baseUrl: 'https://giftcards.reloadly.com',
      authUrl: 'https://auth.reloadly.com',
      clientId: 'a',
      clientSecret: 'b',
      senderName: 'Oja',
      signingSecret: undefined,
      connectionsMax: 20,
      deadlineMs: 90_000,
      notFoundGraceMs: 86_400_000,
    });
    assert.deepEqual(
      faultsOf({
        OJA_RELOADLY_BASE_URL: 'https://giftcards-sandbox.reloadly.com',
        OJA_RELOADLY_AUTH_URL: 'auth.reloadly.com',
      }).map((fault) => fault.split(' ')[0]),
      ['OJA_RELOADLY_AUTH_URL', 'OJA_RELOADLY_CLIENT_ID', 'OJA_RELOADLY_CLIENT_SECRET'],
    );
  });

  it('have a contact phone for VTpass that is a phone', () => {
    const all = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'b', OJA_VTPASS_SECRET_KEY: 'c' };
    assert.equal(loadConfig(all).vtpass?.contactPhone, undefined);
    assert.equal(
      loadConfig({ ...all, OJA_VTPASS_CONTACT_PHONE: '08031234567' }).vtpass?.contactPhone,
      '08031234567',
    );
    assert.deepEqual(
      faultsOf({ ...all, OJA_VTPASS_CONTACT_PHONE: '0803' }).map((fault) => fault.split(' ')[0]),
      ['OJA_VTPASS_CONTACT_PHONE'],
    );
  });

  it('of VTpass are wanted all or none', () => {
    const all = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'b', OJA_VTPASS_SECRET_KEY: 'c' };
    assert.equal(loadConfig(all).vtpass?.baseUrl, 'https://vtpass.com/api');
    assert.deepEqual(
      faultsOf({ OJA_VTPASS_API_KEY: 'a' }).map((fault) => fault.split(' ')[0]),
      ['OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'],
    );
  });

  it('of Monnify are wanted all or none', () => {
    assert.equal(loadConfig({}).monnify, undefined);
    const all = {
      OJA_MONNIFY_API_KEY: 'a',
      OJA_MONNIFY_SECRET_KEY: 'b',
      OJA_MONNIFY_CONTRACT_CODE: 'c',
    };
    assert.deepEqual(loadConfig({ ...all, OJA_MONNIFY_PREFERRED_BANKS: '035, 50515' }).monnify, {
      baseUrl: 'https://api.monnify.com',
      apiKey: 'a',
      secretKey: 'b',
      contractCode: 'c',
      preferredBanks: ['035', '50515'],
      deadlineMs: 15_000,
    });
    assert.deepEqual(
      faultsOf({ OJA_MONNIFY_API_KEY: 'a', OJA_MONNIFY_PREFERRED_BANKS: 'Wema' }).map(
        (fault) => fault.split(' ')[0],
      ),
      ['OJA_MONNIFY_PREFERRED_BANKS', 'OJA_MONNIFY_SECRET_KEY', 'OJA_MONNIFY_CONTRACT_CODE'],
    );
  });

  it('of Paystack need a key, whose kind chooses the bank', () => {
    assert.equal(loadConfig({}).paystack, undefined);
    assert.equal(loadConfig({ OJA_PAYSTACK_SECRET_KEY: 'sk_test_a' }).paystack?.preferredBank, 'test-bank');
    assert.equal(
      loadConfig({ OJA_PAYSTACK_SECRET_KEY: 'sk_live_a' }).paystack?.preferredBank,
      'titan-paystack',
    );
    assert.deepEqual(
      faultsOf({ OJA_PAYSTACK_BASE_URL: 'https://api.paystack.co' }).map((fault) => fault.split(' ')[0]),
      ['OJA_PAYSTACK_SECRET_KEY'],
    );
  });

  it('name a funding provider that is configured', () => {
    const production = {
      OJA_PROFILE: 'production',
      DATABASE_URL: 'postgresql://db/oja',
      OJA_ENCRYPTION_KEY: key,
      OJA_FUNDING_PROVIDER: 'paystack',
    };
    assert.deepEqual(
      faultsOf(production).map((fault) => fault.split(' ')[0]),
      ['OJA_FUNDING_PROVIDER'],
    );
    const config = loadConfig({ ...production, OJA_PAYSTACK_SECRET_KEY: 'sk_live_a' });
    assert.equal(config.fundingProvider, 'paystack');
    assert.equal(config.fundingSweepMs, 300_000);
    assert.equal(loadConfig({ OJA_FUNDING_PROVIDER: 'paystack' }).fundingProvider, 'paystack');
    assert.deepEqual(faultsOf({ OJA_FUNDING_PROVIDER: 'bank', OJA_FUNDING_SWEEP_S: '0' }).length, 2);
  });

  it('of a mail server come as a URL or in parts, and are encrypted unless told otherwise', () => {
    assert.equal(loadConfig({}).smtp, undefined);
    const from = 'Shop <cards@shop.example>';
    assert.deepEqual(
      loadConfig({ OJA_SMTP_URL: 'smtps://me:p%40ss@mail.example', OJA_SMTP_FROM: from }).smtp,
      {
        host: 'mail.example',
        port: 465,
        tls: 'implicit',
        user: 'me',
        password: 'p@ss',
        from,
      },
    );
    const parts = { OJA_SMTP_HOST: 'mail.example', OJA_SMTP_FROM: 'cards@shop.example' };
    const plain = { host: 'mail.example', port: 587, tls: 'starttls', user: undefined, password: undefined };
    assert.deepEqual(loadConfig(parts).smtp, { ...plain, from: 'cards@shop.example' });
    assert.equal(loadConfig({ ...parts, OJA_SMTP_PORT: '465' }).smtp?.tls, 'implicit');
    assert.equal(loadConfig({ ...parts, OJA_SMTP_TLS: 'none' }).smtp?.tls, 'none');
    const named = (environ: Record<string, string>): (string | undefined)[] =>
      faultsOf(environ).map((fault) => fault.split(' ')[0]);
    assert.deepEqual(named({ OJA_SMTP_HOST: 'mail.example' }), ['OJA_SMTP_FROM']);
    assert.deepEqual(named({ OJA_SMTP_FROM: from }), ['OJA_SMTP_HOST']);
    assert.deepEqual(named({ ...parts, OJA_SMTP_URL: 'smtp://mail.example' }), ['OJA_SMTP_URL']);
    assert.deepEqual(named({ ...parts, OJA_SMTP_FROM: 'a@b.example\r\nBcc: c@d.example' }), [
      'OJA_SMTP_FROM',
    ]);
    const secret = faultsOf({ OJA_SMTP_URL: 'http://me:hunter2@mail.example', OJA_SMTP_FROM: from }).join();
    assert.ok(secret.includes('OJA_SMTP_URL') && !secret.includes('hunter2'));
  });

  it('of Termii are wanted all or none', () => {
    assert.equal(loadConfig({}).termii, undefined);
    assert.deepEqual(
      faultsOf({ OJA_TERMII_API_KEY: 'k' }).map((fault) => fault.split(' ')[0]),
      ['OJA_TERMII_BASE_URL', 'OJA_TERMII_SENDER_ID'],
    );
    const all = {
      OJA_TERMII_BASE_URL: 'https://x.api.termii.com',
      OJA_TERMII_API_KEY: 'k',
      OJA_TERMII_SENDER_ID: 'Shop',
    };
    assert.equal(loadConfig(all).termii?.smsChannel, 'dnd');
    assert.equal(loadConfig(all).termii?.whatsappDevice, undefined);
  });
});
