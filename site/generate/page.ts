/** A page of the site before it is written: its name, its path, and its Markdown. */

export type Page = {
  /** Its path on the site, without leading and trailing slashes: `merchants/quick-start`. */
  readonly slug: string;
  /** The file it was made from, from the root of the project. */
  readonly source: string;
  readonly title: string;
  readonly description: string;
  /** Without the title. Its links are those of the source. */
  readonly body: string;
};

export type Reader = 'merchants' | 'operators' | 'maintainers';

/** The first sentence of a text without Markdown, for lists and search engines. */
export function firstSentence(body: string): string {
  const paragraph = body
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^(?:[#|<>]|```|- |\d+\.)/.test(part));
  const plain = (paragraph ?? '')
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
  const [sentence = plain] = /^.*?[.:!?](?=\s|$)/.exec(plain) ?? [];
  return sentence.replace(/:$/, '.');
}

/** Fenced code stays unchanged; everything else goes through `change`. */
export function changeProse(body: string, change: (prose: string) => string): string {
  return body
    .split(/^( *```[\s\S]*?^ *```[^\n]*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}
