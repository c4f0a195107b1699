/**
 * Signs webhooks by Standard Webhooks 1.0.0: HMAC-SHA-256 over id, time and body, with the secret
 * of the endpoint. Pure except for `newSecret`.
 */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `${prefix}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the signature headers. `time` is in seconds. Several secrets sign side by side during a
 * rotation.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, time, body }: { readonly id: string; readonly time: number; readonly body: string },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': `${time}`,
    'webhook-signature': signatures.join(' '),
  };
}
