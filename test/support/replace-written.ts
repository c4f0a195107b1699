/** The parts of a page that are written from the code, each between two comments. */

/** The text with `content` in the place that is named `name`. */
export function replaceWritten(text: string, name: string, content: string): string {
  const begin = `<!-- Written from the code: ${name}. -->`;
  const end = `<!-- The end of ${name}. -->`;
  const [before = '', rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`the page has no place for ${name}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}
