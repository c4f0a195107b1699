/**
 * The operator's commands, run from the checkout whose gateway is tested, so that a row works on
 * another version, however it stores data.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readScript } from '../gateway.ts';
import type { Credential } from '../load/job.ts';

const run = promisify(execFile);

/** Runs a command and returns its output as JSON. Rejects with its message when it is refused. */
export type Operator = (...args: readonly string[]) => Promise<unknown>;

export function createOperator(
  root: string,
  variables: Readonly<Record<string, string | undefined>>,
): Operator {
  return async (...args) => {
    const script = await readScript(root, 'oja');
    const command = [...script.args, ...args, '--json'];
    const env = { ...script.variables, ...variables };
    const { stdout } = await run(process.execPath, command, { cwd: root, env });
    return JSON.parse(stdout).data;
  };
}

export type Merchant = {
  readonly code: string;
  readonly test: Credential;
  readonly live: Credential;
};

/** In naira: more than any row spends. */
const FUNDS = '500000000';

/** A merchant with money in both wallets and a key for each, who may also buy `products`. */
export async function openMerchant(
  operator: Operator,
  code: string,
  products: readonly string[],
): Promise<Merchant> {
  await operator('merchant', 'create', code, `Merchant ${code}`);
  await Promise.all([
    fund(operator, code),
    ...products.map((product) => operator('merchant', 'enable', code, product)),
  ]);
  const issue = async (env: 'test' | 'live'): Promise<Credential> => {
    const issued = (await operator('credential', 'issue', code, '--env', env)) as Record<string, unknown>;
    return { key: String(issued.key), secret: String(issued.secret), merchant: code };
  };
  const [test, live] = await Promise.all([issue('test'), issue('live')]);
  return { code, test, live };
}

export async function fund(operator: Operator, code: string): Promise<void> {
  const credit = (env: string): Promise<unknown> =>
    operator('wallet', 'credit', code, FUNDS, '--env', env, '--memo', 'pressure');
  await Promise.all([credit('test'), credit('live')]);
}
