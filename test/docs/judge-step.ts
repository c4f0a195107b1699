/** Checks that a step does what its page says. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from './read-steps.ts';
import type { Reader } from './reader.ts';
import { notThere, runPhp, runTypescript } from './run-sample.ts';
import { type Ran, runStep } from './run-step.ts';
import { differences } from './same-answer.ts';

const PATIENCE_MS = 30_000;

/**
 * Returns the errors of a step as text. A query is repeated until its answer matches, because its
 * subject may not be final yet.
 */
export async function faultsOf(reader: Reader, step: Step): Promise<readonly string[]> {
  if (step.language !== 'sh') return await faultsOfProgram(reader, step);
  const isQuestion = step.command.startsWith('curl') && !/ -d | -F | -X /.test(step.command);
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = judge(reader, step, await runStep(reader, step.command));
    if (found.length === 0 || !isQuestion || performance.now() > until) return found;
    await sleep(100);
  }
}

/** If the client is installed. */
async function faultsOfProgram(reader: Reader, { language, command, line }: Step): Promise<string[]> {
  try {
    if (language === 'ts' && notThere.typescript === undefined) await runTypescript(reader, command);
    if (language === 'php' && notThere.php === undefined) await runPhp(reader, command);
    return [];
  } catch (error) {
    return [`line ${line}: ${error}`];
  }
}

function judge(reader: Reader, { answer, line }: Step, { failed, status, out }: Ran): string[] {
  if (failed !== undefined) return [`line ${line}: ${failed}\n${out}`];
  if (answer === undefined) return status < 400 ? [] : [`line ${line}: ${status} ${out}`];
  const real = partOf(JSON.parse(out), answer.part);
  const seen = new Map<string, string>();
  const found = differences(JSON.parse(answer.text), real, seen);
  if (found.length === 0) {
    for (const [shown, came] of seen) reader.seen.set(shown, came);
    return [];
  }
  return [`line ${answer.line}:\n  ${found.join('\n  ')}\n${JSON.stringify(real, null, 2)}`];
}

function partOf(answer: unknown, part: string): unknown {
  return part
    .split('.')
    .filter((name) => name !== '')
    .reduce((value, name) => (value as Readonly<Record<string, unknown>>)[name], answer);
}
