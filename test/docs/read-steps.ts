/**
 * Reads the commands of a page and their expected output. A fenced block of `sh` is a command, one
 * of `ts` or `php` a program with the client, and a block of `json` after a command its answer.
 * Comments before a block say more:
 * - `<!-- not run: why -->`: the next block is not run, for this reason;
 * - `<!-- run: command -->`: a step that readers have already done; an answer after it is compared;
 * - `<!-- part: data.cards -->`: the next answer is this part of the whole one.
 */

type Block = { readonly line: number; readonly language: string; readonly text: string };
type Answer = Block & { readonly part: string };
export type Step = {
  readonly line: number;
  /** `sh`, `ts` or `php`. */
  readonly language: string;
  /** As it is written, or from a comment. */
  readonly command: string;
  readonly answer: Answer | undefined;
};
type NotRun = { readonly line: number; readonly reason: string };
export type Steps = {
  readonly steps: readonly Step[];
  readonly notRun: readonly NotRun[];
  /** Lines of blocks that are neither commands, nor answers, nor marked. */
  readonly unknown: readonly number[];
};

const token = /<!--\s*([\s\S]*?)\s*-->|^( *)```([^\n]*)\n([\s\S]*?)^ *```/gm;

type Mark = { readonly name: string; readonly text: string };

export function readSteps(markdown: string): Steps {
  const steps: Step[] = [];
  const notRun: NotRun[] = [];
  const unknown: number[] = [];
  let marks: Mark[] = [];
  // The step that the next block of JSON answers.
  let asked = false;
  for (const match of markdown.matchAll(token)) {
    const line = markdown.slice(0, match.index).split('\n').length;
    const [, comment, indent = '', language = '', body = ''] = match;
    if (comment !== undefined) {
      const mark = markOf(comment);
      if (mark?.name === 'run') {
        steps.push({ line, language: 'sh', command: mark.text, answer: undefined });
        asked = true;
      } else if (mark !== undefined) marks.push(mark);
      continue;
    }
    const text = indent === '' ? body : body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const reason = marks.find(({ name }) => name === 'not run')?.text;
    const part = marks.find(({ name }) => name === 'part')?.text ?? '';
    marks = [];
    if (reason !== undefined) {
      notRun.push({ line, reason });
      asked = false;
    } else if (['sh', 'ts', 'php'].includes(language)) {
      steps.push({ line, language, command: text, answer: undefined });
      asked = language === 'sh';
    } else if (language === 'json' && asked) {
      const last = steps.pop();
      if (last !== undefined) steps.push({ ...last, answer: { line, language, text, part } });
      asked = part !== '';
    } else unknown.push(line);
  }
  return { steps, notRun, unknown };
}

function markOf(comment: string): Mark | undefined {
  const [, name, text] = /^(not run|run|part):\s*([\s\S]+)$/.exec(comment) ?? [];
  return name === undefined || text === undefined ? undefined : { name, text };
}
