/**
 * The command line: reads the arguments, runs one command, prints its result. Exit codes: 0 done, 1
 * refused or failed, 2 usage error. A custom program calls it with the providers and banks of its
 * gateway.
 */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommanderError } from 'commander';
import { findOperator } from '../../backoffice/access/find-operator.ts';
import type { Operator } from '../../backoffice/operations/run-operation.ts';
import { CommandError, UsageError } from '../../cli/command-error.ts';
import type { CheckFile } from '../../cli/commands/check-file.ts';
import { type CommandFailure, failureJson, failureText, toJson } from '../../cli/output.ts';
import { printProgress } from '../../cli/print-progress.ts';
import { buildProgram } from '../../cli/program.ts';
import { readText } from '../../cli/read-file.ts';
import type { Run, Terminal } from '../../cli/run.ts';
import { CodedError, OperationError } from '../../core/errors.ts';
import { fieldErrorsOf } from '../../core/operation-errors.ts';
import type { Database } from '../../db/database.ts';
import { isConnectionLost, isUnavailable, sqlState } from '../../db/database-errors.ts';
import { type Config, loadConfig, type Variables } from '../config.ts';
import { findSimulatorAddress } from '../demo/simulator-address.ts';
import { type Registries, registriesOf } from '../registries.ts';
import { readSettingFiles } from '../setting-files.ts';
import { version } from '../version.ts';
import { becomeGateway } from './become-gateway.ts';
import { connect } from './connect.ts';
import { createSession } from './create-session.ts';
import { runDoctor } from './run-doctor.ts';

/** PostgreSQL's word for a table that is not there. */
const undefinedTable = '42P01';

/**
 * Resolves when the command is done and the exit code is set. Without `registries` the commands
 * know the built-in providers and banks. `entry` is the program that runs the gateway; without it
 * there is no `oja start`.
 */
export async function runCommandLine(
  variables: Variables,
  registries: Partial<Registries> = {},
  entry?: string,
): Promise<void> {
  // The reader of the output may stop early, like `head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await runCommand(process.argv.slice(2), process, variables, registries, entry);
}

/** Runs a command with given arguments and terminal. Returns the exit code. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  environment: Variables,
  registries: Partial<Registries> = {},
  entry?: string,
): Promise<number> {
  const found = { wrong: false };
  const variables = readSettingFiles(environment);
  try {
    const known = registriesOf(registries);
    const run = runIn(variables, known, terminal, found);
    const examine = async () => {
      const findings = await runDoctor(variables, known);
      if (findings.some(({ state }) => state === 'wrong')) found.wrong = true;
      return findings;
    };
    // The gateway reads the files itself, so that no environment contains their contents.
    const start = entry === undefined ? undefined : () => becomeGateway(entry, environment);
    const checkFile: CheckFile = async (name, path, place) => {
      const check = known.providers.find(
        (provider) => provider.checkFile !== undefined && (name ?? provider.name) === provider.name,
      )?.checkFile;
      if (check === undefined) {
        throw new UsageError('usage', 'no file describes the account of this provider');
      }
      const checks = await check(await readText(path), place);
      if (checks.some(({ isGood }) => !isGood)) found.wrong = true;
      return checks;
    };
    const program = buildProgram(run, examine, {
      terminal,
      version: version(),
      start,
      variables,
      args,
      checkFile,
    });
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    return exitCode(error, terminal, args.includes('--json'));
  }
  return found.wrong ? 1 : 0;
}

function runIn(
  variables: Variables,
  registries: Registries,
  { stdout, stderr }: Terminal,
  found: { wrong: boolean },
): Run {
  return async (options, work) => {
    const config = await besideGateway(loadConfig(variables, registries));
    await using connection = await connect(config, registries, options.anyVersion);
    const { database } = connection;
    const token = await ownerOf(database, variables.OJA_TOKEN, options.actor);
    const session = createSession(config, registries, database, variables, {
      stated: options.actor,
      token,
      onProgress: printProgress(stderr),
    });
    const result = await work(session);
    if (result.stream === undefined) {
      stdout.write(`${options.json ? toJson(result.answer) : result.text}\n`);
    } else {
      await print(result.stream, stdout);
    }
    if (result.failed) found.wrong = true;
  };
}

/**
 * The caller of a command with `OJA_TOKEN`: the owner of the token, with the token's roles only.
 */
async function ownerOf(
  database: Database,
  token: string | undefined,
  stated: string | undefined,
): Promise<Operator | undefined> {
  if (token === undefined || token === '') return undefined;
  if (stated !== undefined) {
    throw new CommandError('actor_by_token', 'OJA_TOKEN determines the actor: omit --actor');
  }
  const owner = await findOperator(database, token, 'cli');
  if (owner === undefined) {
    throw new CommandError('token_wrong', 'the token of OJA_TOKEN is not known, has expired, or was revoked');
  }
  return owner;
}

/**
 * Takes the simulator's address from the data folder: only the gateway's settings may name its
 * port.
 */
async function besideGateway(config: Config): Promise<Config> {
  if (config.profile !== 'demo' || config.simulatorUrl !== undefined) return config;
  return { ...config, simulatorUrl: await findSimulatorAddress(config.dataDir) };
}

/** Prints with backpressure, and stops when the reader closes the output. */
async function print(stream: AsyncIterable<string>, stdout: Writable): Promise<void> {
  await pipeline(Readable.from(stream), stdout, { end: false }).catch((error: unknown) => {
    const left = (error as NodeJS.ErrnoException).code;
    if (left !== 'EPIPE' && left !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

const hint = 'See --help.';

/** Prints the error. */
function exitCode(error: unknown, { stderr }: Terminal, asJson: boolean): number {
  const isUsage = error instanceof CommanderError || error instanceof UsageError;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Commander has printed the help.
    if (error.code === 'commander.help') return 2;
  }
  const failure = failureOf(error);
  stderr.write(asJson ? failureJson(failure) : failureText(failure));
  return isUsage ? 2 : 1;
}

function failureOf(error: unknown): CommandFailure {
  if (sqlState(error) === undefinedTable) {
    return { code: 'database_not_set_up', message: 'the database is not set up yet: start the gateway once' };
  }
  if (isConnectionLost(error)) {
    const message = `${messageOf(error)}\nIt is unknown whether the operation took effect: check before you try again.`;
    return { code: 'connection_lost', message };
  }
  if (error instanceof OperationError) {
    const { details, message } = error;
    return { code: details.code, message, fields: fieldErrorsOf(details) };
  }
  if (error instanceof CommanderError) {
    return { code: 'usage', message: error.message.replace(/^error: /, ''), hint };
  }
  if (error instanceof UsageError && error.cause instanceof OperationError) {
    return { ...failureOf(error.cause), hint };
  }
  if (error instanceof CodedError) return { code: error.code, message: error.message };
  if (isUnavailable(error)) return { code: 'database_away', message: messageOf(error) };
  const message = String(error instanceof Error ? (error.stack ?? error) : error);
  return { code: 'internal', message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
