/** What a check of the health of this process is, and what it can find. */
import type { DatabaseSeen } from './read-database.ts';

export type Finding =
  | { readonly state: 'ok' }
  /** The database would have to say it, and does not answer. */
  | { readonly state: 'unknown' }
  /** It sells all the same. `why` does not begin with the word of another state. */
  | { readonly state: 'degraded'; readonly why: string }
  /** Nothing can be sold. `why` is left out where the name of the check says it all. */
  | { readonly state: 'down'; readonly why?: string };

export type HealthCheck = {
  readonly name: string;
  /** While it is down, the process is not ready: it should get no traffic. */
  readonly isOfReadiness?: true;
  /** `database`: undefined where it does not answer. Never names a provider or a merchant. */
  look(database: DatabaseSeen | undefined): Finding;
};

export const ok: Finding = { state: 'ok' };
