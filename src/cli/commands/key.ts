/** `oja key`: the keys that seal what is kept encrypted. */
import type { Command } from 'commander';
import { type RotationProgress, rotateKeys } from '../../keys/operations/rotate-keys.ts';
import { countSealedValues } from '../../keys/reseal-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { CommandError } from '../command-error.ts';
import { table } from '../output.ts';
import type { Terminal } from '../terminal.ts';

const TOLD_EVERY_MS = 2_000;

/** One line every two seconds, beside the result. */
function tellProgress({ stderr }: Terminal): (progress: RotationProgress) => void {
  let toldAt = performance.now();
  return ({ table: name, resealed }) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    stderr.write(`${name}: ${resealed} sealed again so far\n`);
  };
}

export function addKey(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('key').description('the keys that seal what is kept encrypted');
  addCommand<[], object>(group, run, {
    name: 'list',
    description: 'how much is sealed under which key; keys are named by the first digits of their SHA-256',
    examples: ['key list'],
    work: async ({ database, sealer }) => {
      const present = (await sealer()).keyId;
      const counts = await countSealedValues(database);
      const rows = counts.map((row) => ({ ...row, present: row.keyId === present }));
      return {
        data: rows.map((row) => ({
          table: row.table,
          key: row.keyId,
          count: Number(row.count),
          present: row.present,
        })),
        text: table(
          rows,
          [
            { title: 'TABLE', of: (row) => row.table },
            { title: 'KEY', of: (row) => row.keyId },
            { title: 'VALUES', of: (row) => String(row.count), right: true },
            { title: 'PRESENT', of: (row) => (row.present ? 'yes' : 'no') },
          ],
          'Nothing is sealed.',
        ),
      };
    },
  });
  addCommand<[], object>(group, run, {
    name: 'rotate',
    description:
      'seal everything again under OJA_ENCRYPTION_KEY; what was sealed before is opened with OJA_ENCRYPTION_KEYS_OLD',
    examples: ['key rotate'],
    writes: true,
    work: async ({ database, sealer, actor }) => {
      const rotated = await rotateKeys(database, await sealer(), actor, tellProgress(terminal));
      const unopened = rotated.reduce((sum, field) => sum + field.unopened, 0);
      if (unopened > 0) {
        throw new CommandError(
          `${unopened} values open with none of the keys and were left as they are: add their key to OJA_ENCRYPTION_KEYS_OLD and run it again (oja key list names the keys)`,
        );
      }
      const resealed = rotated.reduce((sum, field) => sum + field.resealed, 0);
      return {
        data: rotated,
        text: `${resealed} values were sealed again. The old keys are not needed any more.`,
      };
    },
  });
}
