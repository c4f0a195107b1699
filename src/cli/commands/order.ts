/** `oja order`: what a person can do for an order whose goods its provider never named. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { addOrderGoods } from '../../vending/goods/operations/add-order-goods.ts';
import { addCommand, type Run } from '../add-command.ts';
import { CommandError } from '../command-error.ts';
import { argumentsOfFind, type FindOptions, findOne } from '../find-purchase.ts';

type GoodsOptions = FindOptions & { readonly file: string };

export function addOrder(program: Command, run: Run): void {
  const group = program
    .command('order')
    .description('orders of gift cards, eSIMs and PINs: goods that never came');
  addCommand<[string], GoodsOptions>(group, run, {
    name: 'goods',
    description:
      "settle an order with the cards, the PINs or the eSIM that its provider's support named: sealed, shown to the merchant, sent to the customer; a pending order becomes a success; they cannot be changed later",
    examples: ['order goods order-77 --file cards.json', 'order goods order-77 --merchant SHOP --file -'],
    writes: true,
    configure: (command) =>
      argumentsOfFind(command).requiredOption(
        '--file <path>',
        'JSON such as {"cards":[{"card_number":"…","pin":"…"}]}, {"pins":[{"serial":"…","pin":"…"}]} or {"iccid":"…","lpa":"LPA:1$…$…"}; - reads it from the standard input',
      ),
    work: async ({ database, sealer, actor }, [key], { file, ...options }) => {
      const { vend } = await findOne(database, key, options);
      const typed = await readJson(file);
      const { merchant_id: merchantId, environment, id: vendId } = vend;
      const named = { merchantId, environment, vendId };
      const keys = await sealer();
      const { brought, wasPending } = await database.transaction((tx) =>
        addOrderGoods(tx, keys, named, typed, actor),
      );
      const paid = wasPending ? ' It was pending and is a success now: its money is taken.' : '';
      return {
        data: { id: vend.id, reference: vend.reference, brought, was_pending: wasPending },
        text: `${vend.reference} now shows its ${brought.join(', ')}.${paid}`,
      };
    },
  });
}

/** Whatever is wrong with it, no word of it is repeated: it is a secret. */
async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: Error) => {
    throw new CommandError(`cannot read ${file}: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON`);
  }
}
