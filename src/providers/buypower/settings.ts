/** The settings of BuyPower, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
  setting,
  textSetting,
} from '../../core/connector-settings.ts';
import type { ProviderSettings } from '../provider-definition.ts';

export const buypowerSettings = connectorSettings('BuyPower', {
  /** It includes the version. */
  baseUrl: baseUrlSetting('OJA_BUYPOWER_BASE_URL', 'https://api.buypower.ng/v2'),
  token: requiredSetting('OJA_BUYPOWER_TOKEN'),
  /** Sent with every order, because an order has no e-mail address of the customer. */
  contactEmail: requiredSetting('OJA_BUYPOWER_CONTACT_EMAIL', 'plain'),
  /** Sent with a bill whose customer gave no mobile number. Without it, such a bill is refused. */
  contactPhone: setting('OJA_BUYPOWER_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  /** Sent when the customer's name is not known. */
  payerName: textSetting('OJA_BUYPOWER_PAYER_NAME', 'Oja'),
  /** The spelling of the query: `GET /vend?orderId=…` or `GET /transaction/…`. */
  queryPath: setting<'vend' | 'transaction'>('OJA_BUYPOWER_QUERY_PATH', 'plain', (read, name) =>
    read.choice(name, ['vend', 'transaction'], 'vend'),
  ),
  connectionsMax: limit(50),
  deadlineMs: scaledMs(50_000),
  // A day, because BuyPower documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
  // BuyPower names 120 seconds between two queries of an order in progress.
  refusalGraceMs: scaledMs(120_000),
});

export type BuypowerSettings = ProviderSettings<typeof buypowerSettings>;

export const readBuypower = buypowerSettings.read;
