/** `a, b or c`: a list of words as part of a sentence. */
export function listWords(words: readonly string[], last: 'and' | 'or'): string {
  const before = words.slice(0, -1).join(', ');
  return before === '' ? (words[0] ?? '') : `${before} ${last} ${words.at(-1)}`;
}
