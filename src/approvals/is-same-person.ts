/**
 * Whether two principals are one person. Whoever has two tokens is one person, and so is a user of
 * the machine who has a token of the same name. What somebody stated by `--actor` says nothing.
 */
export function isSamePerson(one: string, other: string): boolean {
  return personOf(one) === personOf(other);
}

/** `user:ada`, `token:oja_pat_1a2b (Ada)`: the name, in small letters. */
function personOf(principal: string): string {
  const [, name = principal] =
    /^token:\S+ \((.*)\)$/s.exec(principal) ?? /^user:(.*)$/s.exec(principal) ?? [];
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
