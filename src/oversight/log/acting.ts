/**
 * What every operation gets from the one who runs it
 * (`src/backoffice/operations/run-operation.ts`), by its kind. An act and a task pass `actor` on to
 * `recordOperation`.
 */

import type { Actor } from '../../core/actor.ts';
import type { Database, Queries, Tx } from '../../db/database.ts';

/** For questions. */
export type Asking = { readonly sql: Queries };

/** For acts: one transaction, which commits when the operation resolves. */
export type Acting = { readonly tx: Tx; readonly actor: Actor };

/** For tasks, which open their transactions themselves. */
export type Tasking = { readonly database: Database; readonly sql: Queries; readonly actor: Actor };
