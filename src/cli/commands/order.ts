/** `oja order`: what a person can do for an order whose goods its provider never named. */
import { addOrderGoodsOperation } from '../../purchases/goods/operations/add-order-goods.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readText } from '../read-file.ts';

export const orderCommands: readonly OperationCommand[] = [
  commandOf(addOrderGoodsOperation, {
    arguments: ['reference'],
    flags: { goods: '--file <path>' },
    files: { goods: readJson },
    examples: ['order goods order-77 --file cards.json', 'order goods order-77 --merchant SHOP --file -'],
  }),
];

/** Never repeats a word of the file: it is a secret. */
async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('file_malformed', `${path} is not JSON`);
  }
}
