/** The operator's commands, as one tree. */
import { Command } from 'commander';
import type { Variables } from '../core/settings-reader.ts';
import { addOperation, groupAt } from './add-operation.ts';
import { alarmCommands } from './commands/alarm.ts';
import { approvalCommands } from './commands/approval.ts';
import { auditCommands } from './commands/audit.ts';
import { auditLogCommands } from './commands/audit-log.ts';
import { backupCommands } from './commands/backup-record.ts';
import { balancesCommands } from './commands/balances.ts';
import { booksCommands } from './commands/books.ts';
import { catalogCommands } from './commands/catalog.ts';
import { addCompletion } from './commands/completion.ts';
import { credentialCommands } from './commands/credential.ts';
import { dayCommands } from './commands/day.ts';
import { deliveryCommands } from './commands/delivery.ts';
import { depositCommands } from './commands/deposit.ts';
import { addDoctor, type Examine } from './commands/doctor.ts';
import { floatCommands } from './commands/float.ts';
import { fundingCommands } from './commands/funding.ts';
import { fxCommands } from './commands/fx.ts';
import { guardCommands } from './commands/guard.ts';
import { keyCommands } from './commands/key.ts';
import { addListen } from './commands/listen.ts';
import { addMcp } from './commands/mcp.ts';
import { merchantCommands } from './commands/merchant.ts';
import { merchantPurchaseCommands } from './commands/merchant-purchase.ts';
import { mtnLineCommands } from './commands/mtn-line.ts';
import { addOperations } from './commands/operations.ts';
import { orderCommands } from './commands/order.ts';
import { personCommands } from './commands/person.ts';
import { priceCommands } from './commands/price.ts';
import { providerCommands } from './commands/provider.ts';
import { purchaseCommands } from './commands/purchase.ts';
import { purchaseSearchCommands } from './commands/purchase-search.ts';
import { purchaseDoubtCommands } from './commands/purchase-unresolved.ts';
import { reconciliationCommands } from './commands/reconciliation.ts';
import { reportCommands } from './commands/report.ts';
import { restoreCommands } from './commands/restore-fence.ts';
import { routeCommands } from './commands/route.ts';
import { addStart } from './commands/start.ts';
import { taskCommands } from './commands/task.ts';
import { tokenCommands } from './commands/token.ts';
import { userCommands } from './commands/user.ts';
import { voucherCommands } from './commands/voucher.ts';
import { walletCommands } from './commands/wallet.ts';
import { webhookCommands } from './commands/webhook.ts';
import { workCommands } from './commands/work.ts';
import type { OperationCommand } from './operation-command.ts';
import type { Run } from './run.ts';
import type { Terminal } from './terminal.ts';

/** The commands of operations. */
export const operationCommands: readonly OperationCommand[] = [
  ...auditCommands,
  ...merchantCommands,
  ...mtnLineCommands,
  ...credentialCommands,
  ...walletCommands,
  ...guardCommands,
  ...fundingCommands,
  ...depositCommands,
  ...voucherCommands,
  ...balancesCommands,
  ...reportCommands,
  ...dayCommands,
  ...booksCommands,
  ...floatCommands,
  ...reconciliationCommands,
  ...providerCommands,
  ...purchaseCommands,
  ...merchantPurchaseCommands,
  ...orderCommands,
  ...deliveryCommands,
  ...webhookCommands,
  ...keyCommands,
  ...routeCommands,
  ...catalogCommands,
  ...fxCommands,
  ...priceCommands,
  ...alarmCommands,
  ...auditLogCommands,
  ...purchaseSearchCommands,
  ...workCommands,
  ...purchaseDoubtCommands,
  ...approvalCommands,
  ...taskCommands,
  ...backupCommands,
  ...restoreCommands,
  ...tokenCommands,
  ...userCommands,
  ...personCommands,
];

/** What the help says of each group of commands, in its order. */
const groups: Readonly<Record<string, string>> = {
  merchant: 'merchants: who may buy, what, and at which price',
  'merchant mtn-line': 'vending lines at MTN whose balance a merchant may look up',
  credential: 'API credentials: issue, list, cap, revoke, rotate',
  wallet: "merchants' wallets",
  funding: 'bank accounts that merchants pay into',
  deposit: 'transfers that came in from banks',
  float: 'our money at the providers: what the books expect, what is reported, how long it lasts',
  reconciliation: 'reconciliations that were run, and how statement files are read',
  finding: 'orders that a provider has and that are not known here',
  purchase: 'purchases: found, shown, asked about, settled, and refunded',
  'merchant-purchase': 'purchases as their merchant sees them at the portal',
  work: 'what is pending, and what waits for a person',
  approval: 'acts that wait for a second person',
  task: 'long work that was started at the console',
  order: 'orders of gift cards, eSIMs and PINs: goods that never came',
  voucher: 'vouchers: issue, list, show, cancel',
  delivery: 'orders that are sent to customers',
  webhook: 'webhooks: where merchants are called, and what became of it',
  provider: 'providers: how they do, what is sent to them, and with which credentials',
  key: 'the keys that seal what is kept encrypted',
  route: 'routes: which providers serve what, in which order',
  catalog: 'the catalog: plans of every product, and billers, from files and back',
  guard: 'guards: what becomes of a product that would be sold at a loss',
  price: 'what a merchant pays',
  fx: 'exchange rates: what foreign currencies cost in naira, and the margin on them',
  alarm: 'alarms: what a person must look at',
  day: 'days of Lagos that are closed: their reports are frozen',
  books: 'the books, for accountants: a journal, and trial balances',
  'audit-log': 'the audit log: who did what to what, and the proof that nobody has changed it',
  backup: 'backups that your own tool took',
  restore: 'after a restore: the fence, until what providers delivered since is known',
  token: 'personal access tokens',
  user: "the operator's people, who sign in at the console",
  session: "open sessions of the operator's people",
  team: "merchants' people, who sign in at the portal",
  person: 'what is held on one person: given, and taken away',
};

const description = `Runs an Oja gateway: merchants, credentials, wallets, routes, and the proof of the books.

Works beside a running gateway: on the database of DATABASE_URL or, without it, on that of the gateway that runs on OJA_DATA_DIR (default ./data); if none runs, its database is started for the command.`;

const after = `
Exit codes: 0 done, 1 refused or found wrong, 2 not understood. Every operation is kept in the audit log: who, what, before, after.

Examples:
  ./oja audit
  ./oja merchant create SHOP "Mama Put Stores"
  ./oja credential issue --help`;

type Surroundings = {
  readonly terminal?: Terminal;
  /** Of Oja; absent: it is not told. */
  readonly version?: string;
  /** Runs the gateway; absent where it is another program. */
  readonly start?: (() => Promise<void>) | undefined;
  readonly variables?: Variables;
};

/** Parsing rejects with a CommanderError, and never ends the process by itself. */
export function buildProgram(
  run: Run,
  examine: Examine,
  { terminal = process, version, start, variables = {} }: Surroundings = {},
): Command {
  const { stdout, stderr } = terminal;
  const program = new Command('oja')
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Whoever runs the program prints errors, with their codes.
      outputError: () => undefined,
    })
    .addHelpText('after', after);
  if (version !== undefined) program.version(version, '-V, --version', 'print the version of Oja');
  if (start !== undefined) addStart(program, start);
  for (const [path, words] of Object.entries(groups)) groupAt(program, path).description(words);
  for (const command of operationCommands) addOperation(program, run, command, terminal);
  addDoctor(program, examine, terminal);
  addOperations(program, operationCommands, terminal);
  addListen(program, terminal, variables);
  addMcp(program, terminal, variables);
  addCompletion(program, terminal);
  return program;
}
