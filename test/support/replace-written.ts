/** The generated parts of a page, each between two comments. */

/** Returns the text with `content` in the part named `name`. */
export function replaceWritten(text: string, name: string, content: string): string {
  const begin = `<!-- Written from the code: ${name}. -->`;
  const end = `<!-- The end of ${name}. -->`;
  const [before = '', rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`the page has no place for ${name}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}
