/**
 * What runs in the browser on `/docs`. The functions are sent to the page as text, as they stand:
 * each is whole in itself, and uses nothing of this file or of the server.
 */

/** Of Swagger UI: a request that is about to be sent. */
export type PageRequest = { method?: unknown; url?: unknown; body?: unknown };

/**
 * An example can be tried more than once: a reference that is still the example's gets a fresh one
 * each time it creates something, and look-ups of the example's ask for the last of those.
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
    // What is not JSON goes as it was written.
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

/** A plug-in of Swagger UI: the secret of a live credential is not left in the browser. */
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
