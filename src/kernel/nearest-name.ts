/** The name that somebody may have meant. */

/** So many letters may be wrong, missing or too many. */
const DISTANCE_MAX = 2;

/** Undefined where no name is near. Of several, the nearest. */
export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = DISTANCE_MAX + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= least) continue;
    const distance = editDistance(typed, name);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Of Levenshtein: letters changed, put in and left out. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= other.length; index += 1) {
      const changed = (row[index - 1] ?? 0) + (one[at - 1] === other[index - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
