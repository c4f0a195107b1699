/**
 * The parts that the runner (`src/backoffice/operations/run-operation.ts`) passes to an operation,
 * by its kind. An act and a task pass `actor` to `recordOperation`.
 */

import type { Actor } from '../../core/actor.ts';
import type { Database, Queries, Tx } from '../../db/database.ts';

/** The dependencies of a question, which only reads. */
export type Asking = { readonly sql: Queries };

/** The dependencies of an act: one transaction, which commits when the operation resolves. */
export type Acting = { readonly tx: Tx; readonly actor: Actor };

/** The dependencies of a task, which opens its own transactions. */
export type Tasking = { readonly database: Database; readonly sql: Queries; readonly actor: Actor };
