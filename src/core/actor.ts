/**
 * Who acts: what the audit log says of whoever did something.
 *
 * Guarantees: what somebody only stated never takes the place of who it was found to be. The name
 * may be stated (`--actor`); the principal never is.
 */

/**
 * Where an operation comes in: the command line, the admin API, the console, the portal, the API of
 * merchants, or the program by itself.
 */
export const edges = ['cli', 'admin', 'console', 'portal', 'api', 'gateway'] as const;

type Edge = (typeof edges)[number];

export type Actor = {
  /** As people call them; on the command line whatever was stated. */
  readonly name: string;
  /**
   * Who it was found to be: `user:root` for a user of the machine, `token:oja_pat_1a2b (ada)` for
   * a personal access token, `user:0198c5a4-… (ada@shop.example)` for whoever signed in, `gateway`
   * for the program itself.
   */
  readonly principal: string;
  readonly edge: Edge;
  /** The id of the session, of whoever signed in. */
  readonly session?: string;
  /** The second person, where the act needed one. */
  readonly approvedBy?: Pick<Actor, 'name' | 'principal'>;
};

/** A name alone is a part of the program that acts for nobody: `oja`, `demo`. */
export type ActorOrName = Actor | string;

export function actorOf(actor: ActorOrName): Actor {
  return typeof actor === 'string' ? { name: actor, principal: 'gateway', edge: 'gateway' } : actor;
}
