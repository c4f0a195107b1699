/** Patterns for words in any letter case, which JSON Schema cannot express otherwise. */

/** Matches any of `words` as a whole, in any letter case. They consist of letters and digits. */
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
