/**
 * The parts that every chart has: the frame, the texts around it, the marks on its axes. Plain SVG,
 * readable in light and dark mode. Pure.
 */

export const frame = { width: 720, height: 400, left: 76, right: 96, top: 56, bottom: 84 } as const;
export const inner = {
  width: frame.width - frame.left - frame.right,
  height: frame.height - frame.top - frame.bottom,
} as const;

/** Colours that people with red-green blindness can distinguish. */
const light = ['#0b6e99', '#c2410c', '#6d28d9', '#3f6212'];
const dark = ['#67c5ee', '#fb923c', '#c4b5fd', '#bef264'];
export const COLOURS = light.length;

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2937; }
  .title { font-size: 16px; font-weight: 600; }
  .note, .mark { font-size: 11px; fill: #4b5563; }
  .back { fill: #ffffff; }
  .axis { stroke: #6b7280; }
  .grid { stroke: #e5e7eb; }
${light.map((colour, index) => `  .s${index} { stroke: ${colour}; fill: ${colour}; }`).join('\n')}
  .line { fill: none; stroke-width: 2; }
  text.s0, text.s1, text.s2, text.s3 { stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e5e7eb; }
    .note, .mark { fill: #9ca3af; }
    .back { fill: #111827; }
    .axis { stroke: #9ca3af; }
    .grid { stroke: #374151; }
${dark.map((colour, index) => `    .s${index} { stroke: ${colour}; fill: ${colour}; }`).join('\n')}
    .line { fill: none; }
    text.s0, text.s1, text.s2, text.s3 { stroke: none; }
  }
`;

type Words = { readonly title: string; readonly note: string };

/** A complete document around `parts`. */
export function wrapSvg({ title, note }: Words, parts: readonly string[]): string {
  const { width, height } = frame;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<title>${escapeText(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="back" width="${width}" height="${height}" rx="6"/>`,
    textAt(frame.left, 28, title, 'title'),
    ...parts,
    ...wrapNote(note).map((line, index) => textAt(frame.left, height - 26 + index * 14, line, 'note')),
    '</svg>',
    '',
  ].join('\n');
}

export function textAt(x: number, y: number, text: string, name = '', anchor = 'start'): string {
  const named = name === '' ? '' : ` class="${name}"`;
  return `<text x="${round(x)}" y="${round(y)}"${named} text-anchor="${anchor}">${escapeText(text)}</text>`;
}

export function lineFrom(x1: number, y1: number, x2: number, y2: number, name: string): string {
  return `<line class="${name}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

/** Round numbers from 0 to at least `most`, some five of them. */
export function marksUpTo(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => round(index * step));
}

export function formatMark(value: number): string {
  return value >= 1_000_000
    ? `${value / 1_000_000} million`
    : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const NOTE_LINE_MAX = 112;

function wrapNote(note: string): string[] {
  const lines: string[] = [''];
  for (const word of note.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length >= NOTE_LINE_MAX) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
