/** Which of a mapping's words a cell says. Pure. */

/**
 * The key whose words have the cell, in any letter case; a word with a `*` at its end has all that
 * begin so. A whole word counts before a beginning.
 */
export function matchWords<Key extends string>(
  cell: string,
  words: Readonly<Partial<Record<Key, readonly string[]>>>,
): Key | undefined {
  const said = tidy(cell);
  if (said === '') return undefined;
  const entries = Object.entries(words) as [Key, readonly string[]][];
  const whole = entries.find(([, list]) => list.some((word) => tidy(word) === said));
  if (whole !== undefined) return whole[0];
  return entries.find(([, list]) =>
    list.some((word) => word.endsWith('*') && said.startsWith(tidy(word.slice(0, -1)))),
  )?.[0];
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
