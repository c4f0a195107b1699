/** `oja key`: the keys that seal what is kept encrypted. */
import { listKeysOperation } from '../../operate/keys/operations/list-keys.ts';
import { rotateKeysOperation } from '../../operate/keys/operations/rotate-keys.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const keyCommands: readonly OperationCommand[] = [
  commandOf(listKeysOperation, {
    examples: ['key list'],
  }),
  commandOf(rotateKeysOperation, {
    examples: ['key rotate --yes'],
  }),
];
