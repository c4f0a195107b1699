/** The operator's commands, as one tree. */
import { Command } from 'commander';
import type { Run } from './add-command.ts';
import { addOperation } from './add-operation.ts';
import { addAlarm } from './commands/alarm.ts';
import { addAudit } from './commands/audit.ts';
import { auditLogCommands } from './commands/audit-log.ts';
import { addBalances } from './commands/balances.ts';
import { addBank } from './commands/bank.ts';
import { addCatalog } from './commands/catalog.ts';
import { addCompletion } from './commands/completion.ts';
import { addCredential } from './commands/credential.ts';
import { addDelivery } from './commands/delivery.ts';
import { addDeposit } from './commands/deposit.ts';
import { addFunding } from './commands/funding.ts';
import { addFx } from './commands/fx.ts';
import { guardCommands } from './commands/guard.ts';
import { addKey } from './commands/key.ts';
import { addMerchant, merchantCommands } from './commands/merchant.ts';
import { addOperations } from './commands/operations.ts';
import { addOrder } from './commands/order.ts';
import { addRoute } from './commands/route.ts';
import { tokenCommands } from './commands/token.ts';
import { addVend } from './commands/vend.ts';
import { addVoucher } from './commands/voucher.ts';
import { addWallet, walletCommands } from './commands/wallet.ts';
import type { OperationCommand } from './operation-command.ts';

/** The commands of operations. */
export const operationCommands: readonly OperationCommand[] = [
  ...merchantCommands,
  ...walletCommands,
  ...guardCommands,
  ...auditLogCommands,
  ...tokenCommands,
];

const description = `Runs an Oja gateway: merchants, credentials, wallets, routes, and the proof of the books.

Works beside a running gateway: on the database of DATABASE_URL or, without it, on that of the gateway that runs on OJA_DATA_DIR (default ./data); if none runs, its database is started for the command.`;

const after = `
Exit codes: 0 done, 1 refused or found wrong, 2 not understood. Every operation is kept in the audit log: who, what, before, after.

Examples:
  ./oja audit
  ./oja merchant create SHOP "Mama Put Stores"
  ./oja credential issue --help`;

/** Parsing rejects with a CommanderError, and never ends the process by itself. */
export function buildProgram(run: Run): Command {
  const program = new Command('oja')
    .description(description)
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .addHelpText('after', after);
  // Groups of commands, in the order of the help.
  addAudit(program, run);
  addMerchant(program, run);
  addCredential(program, run);
  addWallet(program, run);
  addFunding(program, run);
  addDeposit(program, run);
  addBank(program, run);
  addVend(program, run);
  addOrder(program, run);
  addVoucher(program, run);
  addDelivery(program, run);
  addKey(program, run);
  addRoute(program, run);
  addCatalog(program, run);
  addFx(program, run);
  addAlarm(program, run);
  addBalances(program, run);
  for (const command of operationCommands) addOperation(program, run, command);
  addOperations(program, operationCommands);
  addCompletion(program);
  return program;
}
