/** The settings of Paystack, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  requiredSetting,
  setting,
} from '../../../core/connector-settings.ts';
import type { SettingsReader } from '../../../core/settings-reader.ts';

export type PaystackSettings = {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** The slug of the bank that keeps the accounts. */
  readonly preferredBank: string;
  readonly deadlineMs: number;
};

/** How long the connector waits for a reply. */
const DEADLINE_MS = 15_000;

const paystackSettings = connectorSettings('Paystack', {
  baseUrl: baseUrlSetting('OJA_PAYSTACK_BASE_URL', 'https://api.paystack.co'),
  secretKey: requiredSetting('OJA_PAYSTACK_SECRET_KEY'),
  // A test key works with a bank of its own only.
  preferredBank: setting('OJA_PAYSTACK_PREFERRED_BANK', 'plain', (read, name) => {
    const isTest = read.text('OJA_PAYSTACK_SECRET_KEY', '').startsWith('sk_test_');
    return read.text(name, isTest ? 'test-bank' : 'titan-paystack');
  }),
});

export function readPaystack(read: SettingsReader): PaystackSettings | undefined {
  const settings = paystackSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale };
}

/** Returns the settings of the demo. The key protects nothing. */
export function simulatedPaystack(simulatorUrl: string): PaystackSettings {
  return {
    baseUrl: `${simulatorUrl}/paystack`,
    secretKey: 'sk_test_simulator',
    preferredBank: 'test-bank',
    deadlineMs: DEADLINE_MS,
  };
}
