/** `oja doctor`: checks everything that a gateway needs, and shows how to fix each problem. */
import type { Command } from 'commander';
import type { Finding } from '../../operate/doctor/finding.ts';
import { toJson } from '../output.ts';
import type { Terminal } from '../run.ts';
import { examplesText } from '../run.ts';

/** Runs all checks, and sets the exit code to 1 if one is wrong. */
export type Examine = () => Promise<readonly Finding[]>;

export function addDoctor(program: Command, examine: Examine, { stdout }: Terminal): void {
  program
    .command('doctor')
    .description(
      'check settings, machine, database, keys, providers and banks; changes nothing, and works without a database',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['doctor', 'doctor --json']))
    .action(async ({ json }: { readonly json?: boolean }) => {
      const findings = await examine();
      const isWell = findings.every(({ state }) => state !== 'wrong');
      stdout.write(`${json ? toJson({ data: { ok: isWell, checks: findings } }) : textOf(findings)}\n`);
    });
}

const marks: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok   ',
  warn: 'WARN ',
  wrong: 'WRONG',
  skipped: '-    ',
};

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, seen, todo }) => [
    `${marks[state]}  ${check.padEnd(width)}  ${seen}`,
    ...(todo === undefined ? [] : [`       ${' '.repeat(width)}  fix: ${todo}`]),
  ]);
  return [...lines, '', verdict(findings)].join('\n');
}

function verdict(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((one) => one.state === state).length;
  const [wrong, warned] = [count('wrong'), count('warn')];
  if (wrong + warned === 0) return 'All checks passed.';
  return `${wrong} wrong, ${warned} warning${warned === 1 ? '' : 's'}.`;
}
