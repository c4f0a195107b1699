/**
 * Whether two principals are one person. Whoever has two tokens is one person, and so is a user of
 * the machine who has a token of the same name. Whoever signed in is told apart by id: two people
 * may have one name. A token that is named by the address of whoever signed in, or by its
 * beginning, is that person's. What somebody stated by `--actor` says nothing.
 */
export function isSamePerson(one: string, other: string): boolean {
  const first = personOf(one);
  const second = personOf(other);
  if (first.id !== undefined && second.id !== undefined) return first.id === second.id;
  return first.names.some((name) => second.names.includes(name));
}

type Person = { readonly id?: string; readonly names: readonly string[] };

const signedIn = /^user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) \((.*)\)$/s;

/** `user:0198… (ada@shop.example)`, `user:ada`, `token:oja_pat_1a2b (Ada)`: in small letters. */
function personOf(principal: string): Person {
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
