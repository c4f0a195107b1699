/** The settings of Flutterwave's bills, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  optionalSetting,
  requiredSetting,
  setting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';

/** A biller and one of its items, as Flutterwave's lists name them. */
export type BillCodes = { readonly billerCode: string; readonly itemCode: string };

/** `baseUrl` includes the version, as in `https://api.flutterwave.com/v3`. */
export type FlutterwaveBillsSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly secretKey: string;
  /** The secret hash of webhooks. Absent: webhooks are not accepted. */
  readonly secretHash?: string | undefined;
  /** Sent with every order. Absent: Flutterwave calls the webhook address of its dashboard. */
  readonly callbackUrl?: string | undefined;
  /** The codes of airtime by network, because an order of airtime has no plan. */
  readonly airtime: ReadonlyMap<string, BillCodes>;
  readonly notFoundGraceMs: number;
  readonly now?: () => Date;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;
/** How long "not found" is not believed. No answer says so, because none is documented. */
const NOT_FOUND_GRACE_MS = 86_400_000;
const AIRTIME = /^(?:MTN|GLO|AIRTEL|9MOBILE)=[0-9A-Z]{1,20}:[0-9A-Z]{1,20}$/;
/** The only codes of airtime that are documented for a network by name. */
const MTN_AIRTIME = 'MTN=BIL099:AT099';

export const flutterwaveBillsSettings = connectorSettings('Flutterwave bills', {
  baseUrl: baseUrlSetting('OJA_FLUTTERWAVE_BILLS_BASE_URL', 'https://api.flutterwave.com/v3'),
  secretKey: requiredSetting('OJA_FLUTTERWAVE_BILLS_SECRET_KEY'),
  secretHash: optionalSetting('OJA_FLUTTERWAVE_BILLS_SECRET_HASH', 'secret'),
  callbackUrl: setting('OJA_FLUTTERWAVE_BILLS_CALLBACK', 'plain', (read, name) =>
    read.url(name, ['http:', 'https:']),
  ),
  airtime: setting('OJA_FLUTTERWAVE_BILLS_AIRTIME', 'plain', (read, name) =>
    readAirtime(read.list(name, AIRTIME, `networks with their codes, such as ${MTN_AIRTIME}`)),
  ),
  connectionsMax: integerSetting('OJA_FLUTTERWAVE_BILLS_CONNECTIONS', 50, { min: 1, max: 1_000 }),
});

function readAirtime(given: readonly string[]): ReadonlyMap<string, BillCodes> {
  const entries = given.length === 0 ? [MTN_AIRTIME] : given;
  return new Map(
    entries.map((entry) => {
      const [network = '', billerCode = '', itemCode = ''] = entry.split(/[=:]/);
      return [network, { billerCode, itemCode }];
    }),
  );
}

export function readFlutterwaveBills(read: SettingsReader): FlutterwaveBillsSettings | undefined {
  const settings = flutterwaveBillsSettings.read(read);
  return (
    settings && {
      ...settings,
      deadlineMs: DEADLINE_MS * read.timeScale,
      notFoundGraceMs: NOT_FOUND_GRACE_MS * read.timeScale,
    }
  );
}
