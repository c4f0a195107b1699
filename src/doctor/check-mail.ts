/** The mail server: whether it takes us. No message is sent. */
import type { SmtpConfig } from '../messages/messenger-config.ts';
import { greetSmtp } from '../messages/smtp/smtp.ts';
import { type Finding, ok, skipped, wrong } from './finding.ts';

const STEP_TIMEOUT_MS = 5_000;

export async function checkMail(smtp: SmtpConfig | undefined): Promise<Finding[]> {
  if (smtp === undefined) return [skipped('mail server', 'none is set up (OJA_SMTP_URL)')];
  const at = `${smtp.host}:${smtp.port}`;
  const fault = await greetSmtp({ ...smtp, stepTimeoutMs: STEP_TIMEOUT_MS });
  return [
    fault === undefined
      ? ok('mail server', `${at} takes us${smtp.user === undefined ? '' : ' with our password'}`)
      : wrong('mail server', `${at} does not take us (${fault})`, 'look at the settings OJA_SMTP_…'),
  ];
}
