/**
 * The settings of Paystack: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../../core/settings-reader.ts';

export type PaystackSettings = {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** The slug of the bank that keeps the accounts. */
  readonly preferredBank: string;
  readonly deadlineMs: number;
};

/** The longest that a call may take. */
const DEADLINE_MS = 15_000;

export function readPaystack(read: SettingsReader): PaystackSettings | undefined {
  const secretKey = read.text('OJA_PAYSTACK_SECRET_KEY', '');
  const baseUrl = read.upstream('OJA_PAYSTACK_BASE_URL');
  const settings: PaystackSettings = {
    baseUrl: baseUrl ?? 'https://api.paystack.co',
    secretKey,
    // A test key has a bank of its own.
    preferredBank: read.text(
      'OJA_PAYSTACK_PREFERRED_BANK',
      secretKey.startsWith('sk_test_') ? 'test-bank' : 'titan-paystack',
    ),
    deadlineMs: DEADLINE_MS * read.timeScale,
  };
  const what = 'of your Paystack account, as OJA_PAYSTACK_BASE_URL is given';
  return read.account(['OJA_PAYSTACK_SECRET_KEY'], what, baseUrl !== undefined) ? settings : undefined;
}

/** The key protects nothing. */
export function simulatedPaystack(simulatorUrl: string): PaystackSettings {
  return {
    baseUrl: `${simulatorUrl}/paystack`,
    secretKey: 'sk_test_simulator',
    preferredBank: 'test-bank',
    deadlineMs: DEADLINE_MS,
  };
}
