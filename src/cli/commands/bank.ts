/** `oja bank`: plays a customer at a simulated bank, in the demo and for test credentials. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Database, Tx } from '../../db/database.ts';
import { findAccountByNumber } from '../../funding/funding-account-store.ts';
import { insertNotices } from '../../funding/notice-store.ts';
import { formatAmount } from '../../kernel/money.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readAmount, readWholeNumber } from '../arguments.ts';
import { CommandError } from '../command-error.ts';

type Options = { readonly provider?: string; readonly notices: number };
type Paid = { readonly provider: string; readonly reference: string };

export function addBank(program: Command, run: Run): void {
  const group = program.command('bank').description('the simulated bank of the demo');
  addCommand<[string, bigint], Options>(group, run, {
    name: 'transfer',
    description: 'play a customer who pays into a funding account of the demo, or of test credentials',
    examples: [
      'bank transfer 6012345678 5000',
      'bank transfer 6012345678 5000 --notices 0',
      'bank transfer 6000000000 5000 --provider monnify',
    ],
    writes: true,
    configure: (command) =>
      command
        .argument('<account>', 'the account number', readAccountNumber)
        .argument('<amount>', 'with at most two decimals', readAmount)
        .option('--provider <name>', 'the bank, by its name: for an account that nobody has')
        .option('--notices <count>', 'how often the bank tells of it; 0: never', readWholeNumber, 1),
    work: async ({ database, banks, simulatorUrl }, [accountNumber, amount], options) => {
      const account = await findAccountByNumber(database, accountNumber);
      if (account === undefined && options.provider === undefined) {
        throw new CommandError(
          `no merchant has the account ${accountNumber}: to pay into it all the same, name its --provider`,
        );
      }
      const payIn = banks.find(({ name }) => name === account?.provider)?.payIn;
      const paid =
        account !== undefined && payIn !== undefined
          ? await payPlayMoney(database, account.provider, (tx) =>
              payIn(tx, { accountNumber, currency: account.currency, amount }),
            )
          : await payIntoSimulator(simulatorUrl, accountNumber, amount, options);
      return {
        data: { ...paid, account_number: accountNumber, amount: formatAmount(amount) },
        text: `Paid ${formatAmount(amount)} into ${accountNumber} at ${paid.provider}: ${paid.reference}.`,
      };
    },
  });
}

/** The transfer and the hint at it, together: such a bank sends no notices. */
async function payPlayMoney(
  database: Database,
  provider: string,
  pay: (tx: Tx) => Promise<string>,
): Promise<Paid> {
  return await database.transaction(async (tx) => {
    const reference = await pay(tx);
    await insertNotices(tx, provider, [reference], 'notice');
    return { provider, reference };
  });
}

async function payIntoSimulator(
  simulatorUrl: string | undefined,
  accountNumber: string,
  amount: bigint,
  { provider, notices }: Options,
): Promise<Paid> {
  if (simulatorUrl === undefined) {
    throw new CommandError('only the demo has a simulated bank: this account is at a real one');
  }
  const answer = await fetch(`${simulatorUrl}/bank/transfers`, {
    method: 'POST',
    body: JSON.stringify({ account_number: accountNumber, amount: formatAmount(amount), provider, notices }),
  }).catch(() => {
    throw new CommandError(
      `the simulator does not answer at ${simulatorUrl}: is the gateway running? OJA_DATA_DIR, or OJA_SIMULATOR_URL, must be the gateway's`,
    );
  });
  const said = (await answer.json()) as Paid & { readonly errors?: readonly string[] };
  if (!answer.ok) throw new CommandError(`the simulator refuses: ${said.errors?.join('; ')}`);
  return { provider: said.provider, reference: said.reference };
}

function readAccountNumber(text: string): string {
  if (!/^[0-9]{10}$/.test(text)) throw new InvalidArgumentError('It must be ten digits.');
  return text;
}
