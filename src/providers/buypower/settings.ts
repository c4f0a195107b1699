/** The settings of BuyPower, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  setting,
  textSetting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';

/** `baseUrl` includes the version, as in `https://api.buypower.ng/v2`. */
export type BuypowerSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly token: string;
  /** Sent with every order, because an order has no e-mail address of the customer. */
  readonly contactEmail: string;
  /** Sent with a bill whose customer gave no mobile number. Without it, such a bill is refused. */
  readonly contactPhone?: string | undefined;
  /** Sent when the customer's name is not known. */
  readonly payerName: string;
  /** The spelling of the query: `GET /vend?orderId=…` or `GET /transaction/…`. */
  readonly queryPath: 'vend' | 'transaction';
  readonly notFoundGraceMs: number;
  /** The age from which two equal answers confirm a refusal that asks to retry. Absent: 0. */
  readonly refusalGraceMs?: number;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;
/** How long "not found" is not believed: a day, because BuyPower documents no time. */
const NOT_FOUND_GRACE_MS = 86_400_000;
/** BuyPower names 120 seconds between two queries of an order in progress. */
const REFUSAL_GRACE_MS = 120_000;

export const buypowerSettings = connectorSettings('BuyPower', {
  baseUrl: baseUrlSetting('OJA_BUYPOWER_BASE_URL', 'https://api.buypower.ng/v2'),
  token: requiredSetting('OJA_BUYPOWER_TOKEN'),
  contactEmail: requiredSetting('OJA_BUYPOWER_CONTACT_EMAIL', 'plain'),
  contactPhone: setting('OJA_BUYPOWER_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  payerName: textSetting('OJA_BUYPOWER_PAYER_NAME', 'Oja'),
  queryPath: setting<'vend' | 'transaction'>('OJA_BUYPOWER_QUERY_PATH', 'plain', (read, name) =>
    read.choice(name, ['vend', 'transaction'], 'vend'),
  ),
  connectionsMax: integerSetting('OJA_BUYPOWER_CONNECTIONS', 50, { min: 1, max: 1_000 }),
});

export function readBuypower(read: SettingsReader): BuypowerSettings | undefined {
  const settings = buypowerSettings.read(read);
  return (
    settings && {
      ...settings,
      deadlineMs: DEADLINE_MS * read.timeScale,
      notFoundGraceMs: NOT_FOUND_GRACE_MS * read.timeScale,
      refusalGraceMs: REFUSAL_GRACE_MS * read.timeScale,
    }
  );
}
