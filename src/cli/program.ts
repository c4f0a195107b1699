/** The tree of all commands: one for each operation, and those that need no operation. */
import { Command } from 'commander';
import { operations } from '../backoffice/operations/registry.ts';
import type { Variables } from '../core/settings-reader.ts';
import { addOperation, groupAt } from './add-operation.ts';
import { catalogCommands } from './commands/catalog.ts';
import { addCheckFile, type CheckFile } from './commands/check-file.ts';
import { addCluster } from './commands/cluster.ts';
import { addDoctor, type Examine } from './commands/doctor.ts';
import { financeCommands } from './commands/finance.ts';
import { addListen } from './commands/listen.ts';
import { merchantCommands } from './commands/merchants.ts';
import { addOperations } from './commands/operations.ts';
import { operatorCommands } from './commands/operator.ts';
import { providerCommands } from './commands/providers.ts';
import { purchaseCommands } from './commands/purchases.ts';
import { commandLine, type LineOf } from './next-steps.ts';
import { commandOf, type OperationCommand } from './operation-command.ts';
import { examplesText, type Run, type Terminal } from './run.ts';

const words: Readonly<Record<string, OperationCommand['words'] | readonly string[]>> = {
  ...merchantCommands,
  ...purchaseCommands,
  ...providerCommands,
  ...catalogCommands,
  ...financeCommands,
  ...operatorCommands,
};

export const operationCommands: readonly OperationCommand[] = operations
  .filter(({ onlyInGateway }) => !onlyInGateway)
  .map((operation) => commandOf(operation, words[operation.name]));

const byOperation = new Map<string, OperationCommand>(
  operationCommands.map((command) => [command.operation.name, command]),
);

/** Writes the command of an action; undefined if the command line has none. */
export const lineOf: LineOf = ({ operation, input }) => {
  const command = byOperation.get(operation);
  return command && commandLine(command, input);
};

/** The descriptions of command groups, in the order of the help. */
const groups: Readonly<Record<string, string>> = {
  merchant: 'merchants, their products and discounts',
  'price-list': 'price lists: their versions, rules and merchants',
  'merchant mtn-line': 'MTN vending lines whose balance a merchant may look up',
  credential: 'API credentials',
  wallet: "merchants' wallets",
  funding: 'bank accounts that merchants pay into',
  deposit: 'incoming bank transfers',
  float: 'your balances at providers: expected, reported, and how long they last',
  reconciliation: 'past reconciliations, and the layouts of statement files',
  finding: 'orders that a provider lists and this gateway does not know',
  purchase: 'purchases: find, show, query, settle and refund',
  'merchant-purchase': 'purchases as their merchant sees them in the portal',
  batch: 'purchases in bulk, from one file',
  work: 'counts of items that need attention',
  approval: 'requests that need the approval of a second person',
  task: 'background tasks that were started in the console',
  order: 'goods of gift card, eSIM and PIN orders',
  voucher: 'vouchers',
  receipt: 'receipts of purchases: links, and messages to customers',
  delivery: 'messages that deliver orders to customers',
  webhook: 'webhook endpoints and deliveries',
  provider: 'providers: health, pauses and credentials',
  key: 'encryption keys',
  route: 'routes: which providers serve a product, in which order',
  catalog: 'plans and billers',
  'sync-rule': 'rules by which a catalog follows the plans of a provider',
  guard: 'guards against selling below cost',
  price: 'the prices of a merchant',
  'price-rule': 'how prices of data plans follow the costs that providers list',
  fx: 'exchange rates and their margins',
  alarm: 'alarms',
  day: 'sales by day, and closed days',
  books: 'the journal and trial balances for accountants',
  'audit-log': 'the audit log and its verification',
  backup: 'backups that your own tool took',
  cluster: 'the servers of an installation that is distributed by Citus',
  restore: 'the lock that pauses live purchases after a restore',
  token: 'personal access tokens',
  user: 'users of the console',
  session: 'open sessions of console users',
  team: 'users of a merchant in the portal',
  shop: 'the name and the logo on the receipts of a merchant',
  recipient: 'recipients that a merchant saved',
  person: 'personal data: export and erasure',
};

const description = `Operates an Oja gateway: merchants, credentials, wallets, routes and the books.

Commands use the database of DATABASE_URL or, without it, the database of the gateway that runs on OJA_DATA_DIR (default ./data). If no gateway runs, the command starts that database for itself.`;

const after = `
Exit codes: 0 done, 1 refused or check failed, 2 usage error. Every change is recorded in the audit log.

Examples:
  ./oja audit
  ./oja merchant create SHOP "Mama Put Stores"
  ./oja credential issue --help`;

type Surroundings = {
  readonly terminal?: Terminal;
  /** The version of Oja. Without it, there is no `--version`. */
  readonly version?: string;
  /** Runs the gateway. Absent if the gateway is another program. */
  readonly start?: (() => Promise<void>) | undefined;
  readonly variables?: Variables;
  /** The arguments: commands of groups that they do not name are left out. */
  readonly args?: readonly string[];
  /** Tries the file of an account. Absent: no provider has such a file. */
  readonly checkFile?: CheckFile;
};

const idle: CheckFile = () => Promise.resolve([]);

/** Builds the program. Parsing rejects with a CommanderError and never ends the process. */
export function buildProgram(
  run: Run,
  examine: Examine,
  { terminal = process, version, start, variables = {}, args = [], checkFile = idle }: Surroundings = {},
): Command {
  const { stdout, stderr } = terminal;
  const program = new Command('oja')
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // The caller prints errors, with their codes.
      outputError: () => undefined,
    })
    .addHelpText('after', after);
  if (version !== undefined) program.version(version, '-V, --version', 'print the version of Oja');
  if (start !== undefined) {
    program
      .command('start')
      .description('run the gateway until a signal stops it, with the settings of the environment')
      .addHelpText('after', examplesText(['start']))
      .action(start);
  }
  const isNamed = inGroupOf(args);
  for (const [path, words] of Object.entries(groups)) {
    if (isNamed(path)) groupAt(program, path).description(words);
  }
  for (const command of operationCommands) {
    if (isNamed(command.path)) addOperation(program, run, command, { terminal, lineOf });
  }
  addCheckFile(program, checkFile, terminal, variables);
  addCluster(program, run, terminal, variables);
  addDoctor(program, examine, terminal);
  addOperations(program, operationCommands, terminal);
  addListen(program, terminal, variables);
  return program;
}

/** Whether a path begins like the arguments. True if no path does, as for `--help`. */
function inGroupOf([first]: readonly string[]): (path: string) => boolean {
  const beginsSo = (path: string): boolean => path.split(' ')[0] === first;
  return operationCommands.some(({ path }) => beginsSo(path)) ? beginsSo : () => true;
}
