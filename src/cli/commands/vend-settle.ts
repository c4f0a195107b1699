/** `oja vend settle`: ends a purchase that waits for a person. */
import { type Command, Option } from 'commander';
import { type Settlement, settleVend } from '../../vending/goods/operations/settle-vend.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readAmount } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { argumentsOfFind, type FindOptions, findOne } from '../find-purchase.ts';

type SettleOptions = FindOptions & {
  readonly as: Settlement['as'];
  readonly cost?: bigint;
  readonly force?: boolean;
};

export function addVendSettle(group: Command, run: Run): void {
  addCommand<[string], SettleOptions>(group, run, {
    name: 'settle',
    description:
      "end a pending purchase that an alarm overdue names, by what its provider's support told you: delivered takes its money, refused gives it back; it cannot be changed later",
    examples: ['vend settle air-7 --as delivered --cost 49.50', 'vend settle air-8 --as refused'],
    writes: true,
    configure: (command) =>
      argumentsOfFind(command)
        .addOption(
          new Option('--as <end>', 'what came of it').choices(['delivered', 'refused']).makeOptionMandatory(),
        )
        .option('--cost <naira>', 'of a delivery: what the provider took for it', readCost)
        .option('--force', 'also one that no alarm has named yet: its provider is still asked'),
    work: async ({ database, sealer, actor }, [key], { as, cost, force = false, ...options }) => {
      if (as === 'refused' && cost !== undefined) {
        throw new CommandError('--cost is for what was delivered: a refused purchase costs nothing');
      }
      const { vend } = await findOne(database, key, options);
      const { merchant_id: merchantId, environment, id: vendId } = vend;
      const settlement = as === 'delivered' ? { as, cost, force } : { as, force };
      const keys = await sealer();
      const { tokenOwed } = await database.transaction((tx) =>
        settleVend(tx, keys, { merchantId, environment, vendId }, settlement, actor),
      );
      const end = as === 'delivered' ? 'a success: its money is taken' : 'failed: its money went back';
      const token = tokenOwed ? ' It owes its token: oja vend goods adds it.' : '';
      return {
        data: { id: vendId, reference: vend.reference, settled_as: as, token_owed: tokenOwed },
        text: `${vend.reference} is now ${end}.${token}`,
      };
    },
  });
}

/** Nothing, where the provider gave its money back. */
function readCost(text: string): bigint {
  return /^0(?:\.0{1,2})?$/.test(text) ? 0n : readAmount(text);
}
