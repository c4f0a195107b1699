/** The settings of Paystack, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  type ReadSettings,
  requiredSetting,
  scaledMs,
  setting,
} from '../../../core/connector-settings.ts';

const paystackSettings = connectorSettings('Paystack', {
  baseUrl: baseUrlSetting('OJA_PAYSTACK_BASE_URL', 'https://api.paystack.co'),
  secretKey: requiredSetting('OJA_PAYSTACK_SECRET_KEY'),
  // A test key works only with Paystack's test bank.
  /** The slug of the bank that keeps the accounts. */
  preferredBank: setting('OJA_PAYSTACK_PREFERRED_BANK', 'plain', (read, name) => {
    const isTest = read.text('OJA_PAYSTACK_SECRET_KEY', '').startsWith('sk_test_');
    return read.text(name, isTest ? 'test-bank' : 'titan-paystack');
  }),
  deadlineMs: scaledMs(15_000),
});

export type PaystackSettings = ReadSettings<typeof paystackSettings>;

export const readPaystack = paystackSettings.read;

/** Returns the settings of the demo. The key protects nothing. */
export function simulatedPaystack(simulatorUrl: string): PaystackSettings {
  return {
    baseUrl: `${simulatorUrl}/paystack`,
    secretKey: 'sk_test_simulator',
    preferredBank: 'test-bank',
    deadlineMs: 15_000,
  };
}
