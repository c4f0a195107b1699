/**
 * `oja voucher issue`. A code is as good as money, and Oja stores none. So the codes are in a file
 * before the issue is committed: whatever becomes of the terminal, who issued them has them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { formatAmount } from '../../kernel/money.ts';
import { type IssuedVouchers, issueVouchers } from '../../vouchers/operations/issue-vouchers.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readAmount, readEnvironment, readWholeNumber } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { table } from '../output.ts';

type IssueOptions = {
  readonly value: bigint;
  readonly count: number;
  readonly env: Environment;
  readonly file?: string;
};

export function addVoucherIssue(group: Command, run: Run): void {
  addCommand<[string], IssueOptions>(group, run, {
    name: 'issue',
    description:
      "issue vouchers of one value, paid from the merchant's wallet; their codes are shown once, and are in a file of yours",
    examples: [
      'voucher issue SHOP --value 5000 --count 10 --env live',
      'voucher issue SHOP --value 5000 --count 10 --env live --file /mnt/codes.csv',
    ],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .requiredOption('--value <amount>', 'of each, in naira', readAmount)
        .requiredOption('--count <number>', 'how many, 1 to 1000', readWholeNumber)
        .requiredOption('--env <environment>', 'test or live', readEnvironment)
        .option(
          '--file <path>',
          'a new file for the codes, written before they are issued (default: one named after the issue, in the folder vouchers of the data folder)',
        ),
    work: async (session, [merchantCode], { value, count, env, file: named }) => {
      const pepper = await session.pepper();
      const { file, ...issued } = await session.database.transaction(async (tx) => {
        const terms = { merchantCode, environment: env, value, count };
        const made = await issueVouchers(tx, pepper, terms, session.actor);
        const path = resolve(named ?? join(session.dataDir, 'vouchers', `${made.issueId}.csv`));
        await writeCodes(path, made);
        return { ...made, file: path };
      });
      const { issueId: issue, merchantCode: merchant, vouchers } = issued;
      const [of, total] = [formatAmount(value), formatAmount(issued.total)];
      return {
        data: { issue, merchant, environment: env, value: of, total, file, vouchers },
        text:
          `${codesTable(vouchers)}\n\n${merchant} (${env}) paid ${total} NGN for ${count} of ${of} NGN. Issue ${issue}.\n` +
          `The codes are not shown again. They are in ${file}: delete it when the merchant has them.`,
      };
    },
  });
}

/**
 * On disk before the issue is committed. Until then nobody can redeem them. Throws CommandError,
 * and nothing is issued.
 */
async function writeCodes(file: string, { issueId, vouchers }: IssuedVouchers): Promise<void> {
  const lines = vouchers.map(({ id, code }) => `${issueId},${id},${code}\n`);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // For its owner alone, and never over another file.
    await writeFile(file, `issue,voucher,code\n${lines.join('')}`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    throw new CommandError(
      `no vouchers were issued: cannot write ${file}: ${(error as Error).message}; --file names another`,
    );
  }
}

function codesTable(vouchers: IssuedVouchers['vouchers']): string {
  return table(
    vouchers,
    [
      { title: 'ID', of: (voucher) => voucher.id },
      { title: 'CODE', of: (voucher) => voucher.code },
    ],
    '',
  );
}
