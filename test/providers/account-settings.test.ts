/**
 * The settings of each provider and bank: all that its account needs or none, and the defaults of
 * the others.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsReader } from '../../src/core/settings-reader.ts';
import { readFlutterwave } from '../../src/funding/banks/flutterwave/settings.ts';
import { readMonnify } from '../../src/funding/banks/monnify/settings.ts';
import { readPaystack } from '../../src/funding/banks/paystack/settings.ts';
import { readPayvessel } from '../../src/funding/banks/payvessel/settings.ts';
import { readBuypower } from '../../src/providers/buypower/settings.ts';
import { readClubkonnect } from '../../src/providers/clubkonnect/settings.ts';
import { readEasyAccess } from '../../src/providers/easyaccess/settings.ts';
import { readFlutterwaveBills } from '../../src/providers/flutterwave-bills/settings.ts';
import { readNomba } from '../../src/providers/nomba/settings.ts';
import { readOgdams } from '../../src/providers/ogdams/settings.ts';
import type { CommonSettings } from '../../src/providers/provider-definition.ts';
import { readSmeplug } from '../../src/providers/smeplug/settings.ts';
import { readVtpass } from '../../src/providers/vtpass/settings.ts';
import { readVtung } from '../../src/providers/vtung/settings.ts';
import { commonSettings, readSettings } from '../support/read-settings.ts';

type Read = (reader: SettingsReader, common: CommonSettings) => object | undefined;

const day = 86_400_000;
const { businessName, contactEmail, contactPhone } = commonSettings;
const contact = { businessName, contactEmail, contactPhone };

/** By the prefix of the settings: the settings of the account with their names, and the others. */
const accounts: Readonly<
  Record<string, readonly [read: Read, account: Readonly<Record<string, string>>, defaults: object]>
> = {
  BUYPOWER: [
    readBuypower,
    { TOKEN: 'token' },
    { ...contact, baseUrl: 'https://api.buypower.ng/v2', notFoundGraceMs: day },
  ],
  CLUBKONNECT: [
    readClubkonnect,
    { USER_ID: 'userId', API_KEY: 'apiKey' },
    {
      baseUrl: 'https://www.nellobytesystems.com',
      contactPhone,
      connectionsMax: 20,
      deadlineMs: 50_000,
      notFoundGraceMs: 0,
    },
  ],
  EASYACCESS: [readEasyAccess, { TOKEN: 'token' }, {}],
  FLUTTERWAVE_BILLS: [readFlutterwaveBills, { SECRET_KEY: 'secretKey' }, {}],
  NOMBA: [
    readNomba,
    { ACCOUNT_ID: 'accountId', CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret' },
    {
      businessName,
      baseUrl: 'https://api.nomba.com',
      subAccountId: undefined,
      signatureKey: undefined,
      connectionsMax: 50,
      perSecond: 15,
      deadlineMs: 50_000,
      notFoundGraceMs: day,
      refusalGraceMs: 30_000,
    },
  ],
  OGDAMS: [readOgdams, { SECRET_KEY: 'secretKey' }, {}],
  SMEPLUG: [
    readSmeplug,
    { SECRET_KEY: 'secretKey' },
    {
      baseUrl: 'https://smeplug.ng/api/v1',
      connectionsMax: 20,
      deadlineMs: 50_000,
      notFoundGraceMs: 0,
    },
  ],
  VTPASS: [
    readVtpass,
    { API_KEY: 'apiKey', PUBLIC_KEY: 'publicKey', SECRET_KEY: 'secretKey' },
    {
      baseUrl: 'https://vtpass.com/api',
      contactPhone,
      connectionsMax: 50,
      deadlineMs: 50_000,
      notFoundGraceMs: 0,
    },
  ],
  VTUNG: [
    readVtung,
    { USERNAME: 'username', PASSWORD: 'password' },
    // An order may not be visible before.
    { baseUrl: 'https://vtu.ng/wp-json', pin: undefined, notFoundGraceMs: 180_000 },
  ],
  FLUTTERWAVE: [
    readFlutterwave,
    { SECRET_KEY: 'secretKey', SECRET_HASH: 'secretHash' },
    { baseUrl: 'https://api.flutterwave.com/v3' },
  ],
  MONNIFY: [
    readMonnify,
    { API_KEY: 'apiKey', SECRET_KEY: 'secretKey', CONTRACT_CODE: 'contractCode' },
    { baseUrl: 'https://api.monnify.com', preferredBanks: [], deadlineMs: 15_000 },
  ],
  PAYSTACK: [readPaystack, { SECRET_KEY: 'secretKey' }, { preferredBank: 'titan-paystack' }],
  PAYVESSEL: [
    readPayvessel,
    { API_KEY: 'apiKey', API_SECRET: 'apiSecret', BUSINESS_ID: 'businessId' },
    { banks: ['999991'] },
  ],
};

for (const [prefix, [read, account, defaults]] of Object.entries(accounts)) {
  const names = Object.keys(account).map((name) => `OJA_${prefix}_${name}`);
  const readAll = (variables: Record<string, string>) =>
    readSettings((reader) => read(reader, commonSettings), variables);

  it(`requires all settings of an account or none, and has defaults: ${prefix}`, () => {
    assert.deepEqual(readAll({}), { settings: undefined, faults: [] });
    const { settings, faults } = readAll(Object.fromEntries(names.map((name) => [name, 'x'])));
    const set = Object.fromEntries(Object.values(account).map((property) => [property, 'x']));
    assert.deepEqual(faults, []);
    assert.partialDeepStrictEqual(settings, { ...set, ...defaults });
    const begun = { [`OJA_${prefix}_BASE_URL`]: 'https://a.example/api' };
    assert.deepEqual(readAll(begun).faults, names);
    for (const name of names) {
      const others = names.filter((other) => other !== name);
      if (others.length > 0) assert.deepEqual(readAll({ [name]: 'x' }).faults, others);
    }
  });
}

describe('the settings of one bank', () => {
  it('reads the banks of Monnify, and names malformed ones', () => {
    const key = { OJA_MONNIFY_API_KEY: 'a', OJA_MONNIFY_SECRET_KEY: 'b', OJA_MONNIFY_CONTRACT_CODE: 'c' };
    const read = (banks: string) => readSettings(readMonnify, { ...key, OJA_MONNIFY_PREFERRED_BANKS: banks });
    assert.deepEqual(read('035, 50515').settings?.preferredBanks, ['035', '50515']);
    assert.deepEqual(read('Wema').faults, ['OJA_MONNIFY_PREFERRED_BANKS']);
  });

  it('chooses the bank of Paystack by the kind of its key', () => {
    const { settings } = readSettings(readPaystack, { OJA_PAYSTACK_SECRET_KEY: 'sk_test_a' });
    assert.equal(settings?.preferredBank, 'test-bank');
  });

  it('reads the banks of Payvessel', () => {
    const key = { OJA_PAYVESSEL_API_KEY: 'x', OJA_PAYVESSEL_API_SECRET: 'y', OJA_PAYVESSEL_BUSINESS_ID: 'z' };
    const { settings } = readSettings(readPayvessel, { ...key, OJA_PAYVESSEL_BANKS: '120001,999991' });
    assert.deepEqual(settings?.banks, ['120001', '999991']);
  });
});
