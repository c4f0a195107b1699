/** The settings of BuyPower, for the operator's account and for the simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
  setting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import { type CommonSettings, type ProviderSettings, withCommon } from '../provider-definition.ts';

export const buypowerSettings = connectorSettings('BuyPower', {
  /** It includes the version. */
  baseUrl: baseUrlSetting('OJA_BUYPOWER_BASE_URL', 'https://api.buypower.ng/v2'),
  token: requiredSetting('OJA_BUYPOWER_TOKEN'),
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

export type BuypowerSettings = ProviderSettings<typeof buypowerSettings, 'contactPhone' | 'businessName'> & {
  /** Sent with every order, because an order has no e-mail address of the customer. */
  readonly contactEmail: string;
};

const readAccount = withCommon(buypowerSettings, 'contactPhone', 'businessName');

export function readBuypower(
  read: SettingsReader,
  common: Omit<CommonSettings, 'notFoundGraceMs' | 'timeScale' | 'providerLimits'>,
): BuypowerSettings | undefined {
  const account = readAccount(read, common);
  if (account === undefined) return undefined;
  const { contactEmail } = common;
  if (contactEmail !== undefined) return { ...account, contactEmail };
  read.faults.push('OJA_CONTACT_EMAIL is required: BuyPower gets it with every order');
  return undefined;
}
