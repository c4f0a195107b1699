/** Words in any letter case, as a pattern: JSON Schema knows no other way to say it. */

/** Matches each of `words` as a whole, in any letter case. They are letters and digits. */
export function anyCasePattern(words: readonly string[]): string {
  return `^(?:${words.map(anyCaseWord).join('|')})$`;
}

function anyCaseWord(word: string): string {
  return [...word]
    .map((sign) => {
      const [upper, lower] = [sign.toUpperCase(), sign.toLowerCase()];
      return upper === lower ? sign : `[${upper}${lower}]`;
    })
    .join('');
}
