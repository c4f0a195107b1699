/** Signs webhooks as the gateway does, for tests of their receivers. */

export type SignedWebhook = { readonly body: string; readonly headers: Record<string, string> };

/** `secret`: `whsec_` and base64. */
export async function signWebhook(
  event: { readonly id: string },
  secret: string,
  now: number = Date.now(),
): Promise<SignedWebhook> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(now / 1_000));
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = new TextEncoder().encode(`${event.id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return {
    body,
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
    },
  };
}
