/** `oja key`: the keys that seal what is kept encrypted. */
import { listKeysOperation } from '../../keys/operations/list-keys.ts';
import { rotateKeysOperation } from '../../keys/operations/rotate-keys.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const keyCommands: readonly OperationCommand[] = [
  commandOf(listKeysOperation, {
    examples: ['key list'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'TABLE', of: (row) => row.table },
          { title: 'KEY', of: (row) => row.key },
          { title: 'VALUES', of: (row) => String(row.count), right: true },
          {
            title: 'PRESENT',
            of: (row) => (row.present === null ? 'not known' : row.present ? 'yes' : 'no'),
          },
        ],
        'Nothing is sealed.',
      ),
  }),
  commandOf(rotateKeysOperation, {
    examples: ['key rotate --yes'],
    text: ({ resealed }) => `${resealed} values were sealed again. The old keys are not needed any more.`,
  }),
];
