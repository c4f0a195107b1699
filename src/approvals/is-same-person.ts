/**
 * Whether two principals are one person. Whoever has two tokens is one person, and so is a user of
 * the machine who has a token of the same name. Whoever signed in is told apart by id: two people
 * may have one name. A token that is named by the address of whoever signed in, or by its
 * beginning, is that person's. What somebody stated by `--actor` says nothing.
 */
import { LRUCache } from 'lru-cache';

export function isSamePerson(one: string, other: string): boolean {
  const first = personOf(one);
  const second = personOf(other);
  if (first.id !== undefined && second.id !== undefined) return first.id === second.id;
  return first.names.some((name) => second.names.includes(name));
}

/**
 * A question compares a few principals with hundreds. Reading each again took five times as long
 * with 330 of them.
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
