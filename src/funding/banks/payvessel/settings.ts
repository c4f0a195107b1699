/** The settings of Payvessel, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  type ReadSettings,
  requiredSetting,
  scaledMs,
  setting,
} from '../../../core/connector-settings.ts';

/** PalmPay. Its accounts have no daily limit once the customer gave a BVN, as ours always does. */
const PALMPAY = '999991';

const payvesselSettings = connectorSettings('Payvessel', {
  baseUrl: baseUrlSetting('OJA_PAYVESSEL_BASE_URL', 'https://api.payvessel.com'),
  apiKey: requiredSetting('OJA_PAYVESSEL_API_KEY'),
  /** It also signs notices. Some accounts send it after `Bearer `, which does not sign. */
  apiSecret: requiredSetting('OJA_PAYVESSEL_API_SECRET'),
  businessId: requiredSetting('OJA_PAYVESSEL_BUSINESS_ID', 'account'),
  /** The codes of the banks that may keep an account. The first account in the reply is used. */
  banks: setting('OJA_PAYVESSEL_BANKS', 'plain', (read, name) => {
    const codes = read.list(name, /^[0-9]{3,6}$/, 'bank codes such as 999991');
    return codes.length === 0 ? [PALMPAY] : codes;
  }),
  deadlineMs: scaledMs(15_000),
});

export type PayvesselSettings = ReadSettings<typeof payvesselSettings>;

export const readPayvessel = payvesselSettings.read;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedPayvessel(simulatorUrl: string): PayvesselSettings {
  return {
    baseUrl: `${simulatorUrl}/payvessel`,
    apiKey: 'PVKEY-simulator',
    apiSecret: 'PVSECRET-simulator',
    businessId: 'SIMULATOR',
    banks: [PALMPAY],
    deadlineMs: 15_000,
  };
}
