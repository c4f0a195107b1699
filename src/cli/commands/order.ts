/** `oja order`: what a person can do for an order whose goods its provider never named. */
import { readFile } from 'node:fs/promises';
import { addOrderGoodsOperation } from '../../vending/goods/operations/add-order-goods.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const orderCommands: readonly OperationCommand[] = [
  commandOf(addOrderGoodsOperation, {
    arguments: ['reference'],
    flags: { environment: '--env <environment>', goods: '--file <path>' },
    files: { goods: readJson },
    examples: ['order goods order-77 --file cards.json', 'order goods order-77 --merchant SHOP --file -'],
    text: ({ reference, brought, was_pending: wasPending }) => {
      const paid = wasPending ? ' It was pending and is a success now: its money is taken.' : '';
      return `${reference} now shows its ${brought.join(', ')}.${paid}`;
    },
  }),
];

/** Whatever is wrong with it, no word of it is repeated: it is a secret. */
async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: Error) => {
    throw new CommandError('file_unreadable', `cannot read ${file}: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('file_malformed', `${file} is not JSON`);
  }
}
