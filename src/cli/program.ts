/** The operator's commands, as one tree. */
import { Command } from 'commander';
import type { Run } from './add-command.ts';
import { addOperation, groupAt } from './add-operation.ts';
import { addAlarm } from './commands/alarm.ts';
import { addAudit } from './commands/audit.ts';
import { auditLogCommands } from './commands/audit-log.ts';
import { balancesCommands } from './commands/balances.ts';
import { bankCommands } from './commands/bank.ts';
import { addCatalog } from './commands/catalog.ts';
import { addCompletion } from './commands/completion.ts';
import { credentialCommands } from './commands/credential.ts';
import { addDelivery } from './commands/delivery.ts';
import { depositCommands } from './commands/deposit.ts';
import { fundingCommands } from './commands/funding.ts';
import { addFx } from './commands/fx.ts';
import { addKey } from './commands/key.ts';
import { merchantCommands } from './commands/merchant.ts';
import { mtnLineCommands } from './commands/mtn-line.ts';
import { addOperations } from './commands/operations.ts';
import { addOrder } from './commands/order.ts';
import { addRoute } from './commands/route.ts';
import { tokenCommands } from './commands/token.ts';
import { addVend } from './commands/vend.ts';
import { voucherCommands } from './commands/voucher.ts';
import { walletCommands } from './commands/wallet.ts';
import type { OperationCommand } from './operation-command.ts';

/** The commands of operations. */
export const operationCommands: readonly OperationCommand[] = [
  ...merchantCommands,
  ...mtnLineCommands,
  ...credentialCommands,
  ...walletCommands,
  ...fundingCommands,
  ...depositCommands,
  ...bankCommands,
  ...voucherCommands,
  ...balancesCommands,
  ...auditLogCommands,
  ...tokenCommands,
];

/** What the help says of each group of commands, in its order. */
const groups: readonly (readonly [path: string, description: string])[] = [
  ['merchant', 'merchants: who may buy, what, and at which price'],
  ['merchant mtn-line', 'vending lines at MTN whose balance a merchant may look up'],
  ['credential', 'API credentials: issue, list, revoke, rotate'],
  ['wallet', "merchants' wallets"],
  ['funding', 'bank accounts that merchants pay into'],
  ['deposit', 'transfers that came in from banks'],
  ['bank', 'the simulated bank of the demo'],
  ['voucher', 'vouchers: issue, list, show, cancel'],
  ['audit-log', 'who did what to what, before and after'],
  ['token', 'personal access tokens'],
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
  for (const [path, words] of groups) groupAt(program, path).description(words);
  addVend(program, run);
  addOrder(program, run);
  addDelivery(program, run);
  addKey(program, run);
  addRoute(program, run);
  addCatalog(program, run);
  addFx(program, run);
  addAlarm(program, run);
  for (const command of operationCommands) addOperation(program, run, command);
  addOperations(program, operationCommands);
  addCompletion(program);
  return program;
}
