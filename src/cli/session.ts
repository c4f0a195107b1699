/** What a command works with: what operations need, who runs it, and the time. */
import type { Operator } from '../backoffice/operations/run-operation.ts';
import type { Services } from '../backoffice/operations/services.ts';

export type Session = Services & {
  readonly services: Services;
  readonly operator: Operator;
  /** Who is named in the audit log. */
  readonly actor: Operator;
  readonly now: Date;
  /** The gateway's data folder on this machine; not there where the gateway runs elsewhere. */
  readonly dataDir: string;
};
