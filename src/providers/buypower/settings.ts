/** The settings of BuyPower, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  type ConnectorSettings,
  connectorSettings,
  integerSetting,
  requiredSetting,
  scaledMs,
  setting,
  textSetting,
} from '../../core/connector-settings.ts';
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

export const buypowerSettings: ConnectorSettings<BuypowerSettings> = connectorSettings('BuyPower', {
  baseUrl: baseUrlSetting('OJA_BUYPOWER_BASE_URL', 'https://api.buypower.ng/v2'),
  token: requiredSetting('OJA_BUYPOWER_TOKEN'),
  contactEmail: requiredSetting('OJA_BUYPOWER_CONTACT_EMAIL', 'plain'),
  contactPhone: setting('OJA_BUYPOWER_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  payerName: textSetting('OJA_BUYPOWER_PAYER_NAME', 'Oja'),
  queryPath: setting<'vend' | 'transaction'>('OJA_BUYPOWER_QUERY_PATH', 'plain', (read, name) =>
    read.choice(name, ['vend', 'transaction'], 'vend'),
  ),
  connectionsMax: integerSetting('OJA_BUYPOWER_CONNECTIONS', 50, { min: 1, max: 1_000 }),
  deadlineMs: scaledMs(50_000),
  // A day, because BuyPower documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
  // BuyPower names 120 seconds between two queries of an order in progress.
  refusalGraceMs: scaledMs(120_000),
});

export const readBuypower = buypowerSettings.read;
