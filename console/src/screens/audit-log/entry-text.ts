/** Names the subject and the source of an audit log entry for people. Pure. */
import { words } from '../../design/format.ts';

type State = Readonly<Record<string, unknown>> | null;

export type NamedEntry = {
  /** Such as `merchant:DEMO`. */
  readonly subject: string;
  readonly principal: string | null;
  readonly before: State;
  readonly after: State;
};

/** The path of the screen up to the id, by the kind of the subject. */
const places: Readonly<Record<string, string>> = {
  approval: '/approvals/',
  merchant: '/merchants/',
  price_list: '/price-lists/',
  provider: '/providers/',
  purchase: '/purchases/',
  reconciliation: '/reconciliation?run=',
  webhook: '/webhooks/',
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns "Merchant" and "DEMO" for `merchant:DEMO`, with the path of its screen if it has one. The
 * e-mail address or URL in the entry replaces a UUID.
 */
export function subjectText({ subject, principal, before, after }: NamedEntry): {
  readonly kind: string;
  readonly name: string;
  readonly to: string | undefined;
} {
  const [kind = '', ...rest] = subject.split(':');
  const id = rest.join(':');
  const own = principal?.startsWith(`${subject} (`) ? principal.slice(subject.length + 2, -1) : undefined;
  const known = [own, after?.email, before?.email, after?.url, before?.url].find(
    (one) => typeof one === 'string',
  );
  const name = UUID.test(id) && typeof known === 'string' ? known : shortId(id);
  const place = id === '' ? undefined : places[kind];
  return { kind: words(kind), name, to: place && `${place}${encodeURIComponent(id)}` };
}

/** Returns the end of a UUID, which differs most between two of them, and other ids as they are. */
export function shortId(id: string): string {
  return UUID.test(id) ? `…${id.slice(-8)}` : id;
}

export const sourceNames: Readonly<Record<string, string>> = {
  cli: 'Command line',
  admin: 'Admin API',
  console: 'Console',
  portal: 'Portal',
  api: 'API',
  gateway: 'Gateway',
};
