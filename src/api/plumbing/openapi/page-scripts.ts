/**
 * Scripts that run in the browser on `/docs`. They are sent to the page as text, so each must be
 * self-contained and use nothing of this file or of the server.
 */

/** A request of Swagger UI before it is sent. */
export type PageRequest = { method?: unknown; url?: unknown; body?: unknown };

/**
 * Lets an example run more than once. A create with the example's reference gets a new reference,
 * and look-ups of the example's reference use the last one.
 */
export function freshenReference<Sent extends PageRequest>(request: Sent): Sent {
  const ofExamples = /\b(?:order|card|esim)-20261121-[0-9]{4}\b/g;
  const fields = ['request_ref', 'client_request_id', 'request_id'];
  const page = globalThis as { lastReferences?: Record<string, string> };
  page.lastReferences ??= {};
  const last = page.lastReferences;
  const makeFresh = (example: string): string => {
    const random = Math.random().toString(36).slice(2, 8);
    const fresh = `${example.slice(0, example.indexOf('-'))}-try-${Date.now().toString(36)}-${random}`;
    last[example] = fresh;
    return fresh;
  };
  const { body } = request;
  const isText = typeof body === 'string';
  let sent: Record<string, unknown> | undefined;
  try {
    sent = isText ? JSON.parse(body) : body;
  } catch {
    // A body that is not JSON is sent unchanged.
  }
  if (String(request.method).toUpperCase() === 'POST' && typeof sent === 'object' && sent !== null) {
    for (const field of fields) {
      const value = sent[field];
      if (typeof value === 'string') sent[field] = value.replace(ofExamples, makeFresh);
    }
    request.body = isText ? JSON.stringify(sent, null, 2) : sent;
  }
  request.url = String(request.url).replace(ofExamples, (example) => last[example] ?? example);
  return request;
}

type Storage = {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
};
type Remember = (...given: unknown[]) => unknown;

/**
 * A plug-in of Swagger UI that keeps the secret of a live credential out of the browser's storage.
 */
export function rememberTestSecrets(): object {
  const rememberTest =
    (remember: Remember): Remember =>
    (...given) => {
      const done = remember(...given);
      const { localStorage } = globalThis as unknown as { localStorage: Storage };
      const stored = JSON.parse(localStorage.getItem('authorized') ?? '{}');
      if (!/^oja_test_/.test(stored.merchantKey?.value ?? '')) {
        delete stored.merchantSecret;
        localStorage.setItem('authorized', JSON.stringify(stored));
      }
      return done;
    };
  return { statePlugins: { auth: { wrapActions: { persistAuthorizationIfNeeded: rememberTest } } } };
}
