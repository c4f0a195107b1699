/** The settings of Flutterwave's bills, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
  setting,
} from '../../core/connector-settings.ts';
import type { ProviderSettings } from '../provider-definition.ts';

/** A biller and one of its items, as Flutterwave's lists name them. */
export type BillCodes = { readonly billerCode: string; readonly itemCode: string };

const AIRTIME = /^(?:MTN|GLO|AIRTEL|9MOBILE)=[0-9A-Z]{1,20}:[0-9A-Z]{1,20}$/;
/** The only codes of airtime that are documented for a network by name. */
const MTN_AIRTIME = 'MTN=BIL099:AT099';

export const flutterwaveBillsSettings = connectorSettings('Flutterwave bills', {
  /** It includes the version. */
  baseUrl: baseUrlSetting('OJA_FLUTTERWAVE_BILLS_BASE_URL', 'https://api.flutterwave.com/v3'),
  secretKey: requiredSetting('OJA_FLUTTERWAVE_BILLS_SECRET_KEY'),
  /** The secret hash of webhooks. Absent: webhooks are not accepted. */
  secretHash: optionalSetting('OJA_FLUTTERWAVE_BILLS_SECRET_HASH', 'secret'),
  /** Sent with every order. Absent: Flutterwave calls the webhook address of its dashboard. */
  callbackUrl: setting('OJA_FLUTTERWAVE_BILLS_CALLBACK', 'plain', (read, name) =>
    read.url(name, ['http:', 'https:']),
  ),
  /** The codes of airtime by network, because an order of airtime has no plan. */
  airtime: setting('OJA_FLUTTERWAVE_BILLS_AIRTIME', 'plain', (read, name) =>
    readAirtime(read.list(name, AIRTIME, `networks with their codes, such as ${MTN_AIRTIME}`)),
  ),
  connectionsMax: limit(50),
  deadlineMs: scaledMs(50_000),
  // No answer counts as "not found", because none is documented.
  notFoundGraceMs: scaledMs(86_400_000),
});

export type FlutterwaveBillsSettings = ProviderSettings<typeof flutterwaveBillsSettings>;

function readAirtime(given: readonly string[]): ReadonlyMap<string, BillCodes> {
  const entries = given.length === 0 ? [MTN_AIRTIME] : given;
  return new Map(
    entries.map((entry) => {
      const [network = '', billerCode = '', itemCode = ''] = entry.split(/[=:]/);
      return [network, { billerCode, itemCode }];
    }),
  );
}

export const readFlutterwaveBills = flutterwaveBillsSettings.read;
