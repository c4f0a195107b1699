/** The settings of Nomba, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type CommonSettings, type ProviderSettings, withCommon } from '../provider-definition.ts';

export const nombaSettings = connectorSettings('Nomba', {
  /** It has no version. */
  baseUrl: baseUrlSetting('OJA_NOMBA_BASE_URL', 'https://api.nomba.com'),
  /** The parent account, which every call names. */
  accountId: requiredSetting('OJA_NOMBA_ACCOUNT_ID', 'account'),
  /** The account that pays in place of the parent account. */
  subAccountId: optionalSetting('OJA_NOMBA_SUB_ACCOUNT_ID', 'account'),
  clientId: requiredSetting('OJA_NOMBA_CLIENT_ID'),
  clientSecret: requiredSetting('OJA_NOMBA_CLIENT_SECRET'),
  /** Absent: Nomba's webhooks are not accepted. */
  signatureKey: optionalSetting('OJA_NOMBA_SIGNATURE_KEY', 'secret'),
  connectionsMax: limit(50),
  /** Purchases; Nomba allows 15. */
  perSecond: limit(15),
  deadlineMs: scaledMs(50_000),
  // A day, because Nomba documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
  refusalGraceMs: scaledMs(30_000),
});

export type NombaSettings = ProviderSettings<typeof nombaSettings, 'businessName'>;

export const readNomba = withCommon(nombaSettings, 'businessName');

/** Short enough for the first query of the demo to confirm a refusal. */
const SIMULATED_REFUSAL_GRACE_MS = 3_000;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedNomba(
  simulatorUrl: string,
  { notFoundGraceMs, timeScale, businessName }: CommonSettings,
): NombaSettings {
  return {
    baseUrl: `${simulatorUrl}/nomba`,
    accountId: '00000000-0000-4000-8000-00000000a001',
    subAccountId: undefined,
    clientId: '00000000-0000-4000-8000-00000000c001',
    clientSecret: 'simulator-client-secret-0123456789abcdefghij',
    businessName,
    signatureKey: 'simulator-signature-key',
    connectionsMax: 50,
    perSecond: 0,
    deadlineMs: 50_000,
    notFoundGraceMs,
    refusalGraceMs: timeScale * SIMULATED_REFUSAL_GRACE_MS,
  };
}
