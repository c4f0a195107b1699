/**
 * The actor of an operation, as the audit log records it.
 *
 * Guarantees: the name can be stated by the caller (`--actor`); the principal is always the
 * authenticated identity.
 */

/**
 * The interface that an operation comes from: the command line, the admin API, the console, the
 * portal, the merchants' API, or the gateway itself.
 */
export const edges = ['cli', 'admin', 'console', 'portal', 'api', 'gateway'] as const;

type Edge = (typeof edges)[number];

export type Actor = {
  /** The display name. The command line takes it from `--actor`. */
  readonly name: string;
  /**
   * The authenticated identity: `user:root` for a user of the machine, `token:oja_pat_1a2b (ada)`
   * for a personal access token, `user:0198c5a4-… (ada@shop.example)` for a signed-in user,
   * `gateway` for the program itself.
   */
  readonly principal: string;
  readonly edge: Edge;
  /** The id of the session of a signed-in user. */
  readonly session?: string;
  /** The second person, if the operation needed an approval. */
  readonly approvedBy?: Pick<Actor, 'name' | 'principal'>;
};

/** A plain name is a part of the program that acts on its own: `oja`, `demo`. */
export type ActorOrName = Actor | string;

export function actorOf(actor: ActorOrName): Actor {
  return typeof actor === 'string' ? { name: actor, principal: 'gateway', edge: 'gateway' } : actor;
}
