/**
 * Decides whether two principals are one person: by name (is-same-person.ts), or because the one
 * made, invited or reset the other, or changed the other's roles, directly or through others.
 * - A token counts as its creator's. The machine's user gives tokens to people, so a token that was
 *   created on the machine counts by its name.
 * - The machine's user creates the first users. Those that it made before `since` are independent
 *   of it.
 */

import { LRUCache } from 'lru-cache';
import { type Role, roles } from '../../core/operation.ts';
import type { ApprovalRow } from './approval-store.ts';

/**
 * Returns whether two principals are one person. The owner of two tokens is one, and so is a user
 * of the machine who has a token of the same name. People who signed in are distinguished by id,
 * because two people may have one name. A token that is named by the address of a person who signed
 * in, or by its beginning, is that person's. A name stated by `--actor` is ignored.
 */
export function isSamePerson(one: string, other: string): boolean {
  const first = personOf(one);
  const second = personOf(other);
  if (first.id !== undefined && second.id !== undefined) return first.id === second.id;
  return first.names.some((name) => second.names.includes(name));
}

/**
 * One call compares a few principals with hundreds. Reading each again took five times as long with
 * 330 of them.
 */
const known = new LRUCache<string, Person>({ max: 5_000 });

type Person = { readonly id?: string; readonly names: readonly string[] };

const signedIn = /^user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) \((.*)\)$/s;

function personOf(principal: string): Person {
  const before = known.get(principal);
  if (before !== undefined) return before;
  const person = readPerson(principal);
  known.set(principal, person);
  return person;
}

/** `user:0198… (ada@shop.example)`, `user:ada`, `token:oja_pat_1a2b (Ada)`: in small letters. */
function readPerson(principal: string): Person {
  const [, id, email] = signedIn.exec(principal) ?? [];
  if (id !== undefined && email !== undefined) {
    return { id, names: [plain(email), plain(email.slice(0, email.lastIndexOf('@')))] };
  }
  const [, name = principal] =
    /^token:\S+ \((.*)\)$/s.exec(principal) ?? /^user:(.*)$/s.exec(principal) ?? [];
  return { names: [plain(name)] };
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** A person gave a user or a token its means to act. */
export type Control = {
  /** The principal who gave it. */
  readonly by: string;
  /** The principal of the user or the token. */
  readonly over: string;
  readonly at: Date;
};

/** `since`: when the request was made. */
export function isOnePerson(
  one: string,
  other: string,
  controls: readonly Control[],
  since: Date | undefined,
): boolean {
  const counted = controls.filter(({ by, at }) => idOf(by) !== undefined || isSince(at, since));
  const [first, second] = [ownerOf(one, counted), ownerOf(other, counted)];
  if (isSamePerson(one, other) || isSamePerson(first, second)) return true;
  const ours = [one, first];
  const theirs = [other, second];
  if (isAnyIn(theirs, controlledBy(ours, counted)) || isAnyIn(ours, controlledBy(theirs, counted))) {
    return true;
  }
  // A person who controls the first gained control of the second since the request.
  const recent = counted.filter(({ at }) => isSince(at, since));
  return recent.length > 0 && isAnyIn(theirs, controlledBy(controllersOf(ours, counted), recent));
}

function isSince(at: Date, since: Date | undefined): boolean {
  return since !== undefined && at >= since;
}

/** `user:0198…` or `token:1a2b`; undefined for a user of the machine and the program itself. */
function idOf(principal: string): string | undefined {
  return /^((?:user:[0-9a-f]{8}-|token:)\S+) \(/.exec(principal)?.[1];
}

function keyOf(principal: string): string {
  return idOf(principal) ?? principal;
}

function isAnyIn(principals: readonly string[], reached: readonly string[]): boolean {
  const keys = new Set(reached.map(keyOf));
  return principals.some((principal) => keys.has(keyOf(principal)));
}

/** Returns the creator of a token, through other tokens, and any other principal unchanged. */
function ownerOf(principal: string, controls: readonly Control[]): string {
  const seen = new Set<string>();
  let owner = principal;
  while (owner.startsWith('token:') && !seen.has(owner)) {
    seen.add(owner);
    const id = idOf(owner);
    const made = controls.find(({ by, over }) => idOf(over) === id && idOf(by) !== undefined);
    if (made !== undefined) owner = made.by;
  }
  return owner;
}

function controlledBy(principals: readonly string[], controls: readonly Control[]): readonly string[] {
  return follow(
    principals,
    controls.map(({ by, over }) => [by, over]),
  );
}

function controllersOf(principals: readonly string[], controls: readonly Control[]): readonly string[] {
  return follow(
    principals,
    controls.map(({ by, over }) => [over, by]),
  );
}

/** Everything that is reached from `starts`, over any number of steps. */
function follow(
  starts: readonly string[],
  steps: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  const byFrom = Map.groupBy(steps, ([from]) => keyOf(from));
  const froms = new Set(steps.map(([from]) => from));
  const open = [...froms].filter((from) => starts.some((start) => isSamePerson(start, from)));
  const reached = new Map<string, string>();
  const toVisit = open.flatMap((from) => byFrom.get(keyOf(from)) ?? []);
  for (const [, to] of toVisit) {
    const key = keyOf(to);
    if (reached.has(key)) continue;
    reached.set(key, to);
    toVisit.push(...(byFrom.get(key) ?? []));
  }
  return [...reached.values()];
}

type Decider = { readonly principal: string; readonly roles: readonly Role[] };

/** The viewer, and the roles that an operation is open to. */
export type Looking = {
  readonly looker: Decider;
  readonly rolesOf: (operation: string) => readonly Role[];
};

/** The codes with which an approval is refused. */
export const decisionRefusals = ['role_lacking', 'approval_over', 'approval_by_same_person'] as const;
type DecisionRefusal = (typeof decisionRefusals)[number];

/** Undefined if `decider` may approve it. */
export function refusalOf(
  approval: Pick<ApprovalRow, 'state' | 'operation' | 'asked_principal' | 'asked_at'>,
  decider: Decider,
  controls: readonly Control[],
  rolesOf: Looking['rolesOf'],
): DecisionRefusal | undefined {
  const has = (operation: string): boolean => rolesOf(operation).some((role) => decider.roles.includes(role));
  if (!has('approval.approve')) return 'role_lacking';
  if (approval.state !== 'waiting') return 'approval_over';
  const { asked_principal: asker, asked_at: since } = approval;
  if (isOnePerson(asker, decider.principal, controls, since)) return 'approval_by_same_person';
  return has(approval.operation) ? undefined : 'role_lacking';
}

export function isRole(role: string): role is Role {
  return (roles as readonly string[]).includes(role);
}
