/**
 * Merchants with money, created by the command line of another release, because its tables differ.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Credential } from '../../bench/load/job.ts';

const run = promisify(execFile);
/** In naira: more than any run spends. */
const FUNDS = '900000000';

export type Release = {
  /** The folder of its checkout, with its packages installed. */
  readonly root: string;
  readonly connectionString: string;
  /** The data folder of its gateways, with the encryption key. */
  readonly dataDir: string;
};

export async function fundByCommand(release: Release, merchant: string): Promise<void> {
  await command(release, 'wallet', 'credit', merchant, FUNDS, '--env', 'live', '--memo', 'chaos');
}

/** With live credentials. */
export async function openWalletsByCommand(release: Release, count: number): Promise<Credential[]> {
  const credentials: Credential[] = [];
  for (let number = 1; number <= count; number += 1) {
    const merchant = `CHAOS-${number}`;
    await command(release, 'merchant', 'create', merchant, `Chaos ${number}`);
    await fundByCommand(release, merchant);
    const said = await command(release, 'credential', 'issue', merchant, '--env', 'live', '--json');
    const answer = JSON.parse(said) as Issued | { readonly data: Issued };
    // Version 0.1.0 prints the issued credentials without an envelope.
    const { key, secret } = 'data' in answer ? answer.data : answer;
    credentials.push({ key, secret, merchant });
  }
  return credentials;
}

type Issued = { readonly key: string; readonly secret: string };

async function command({ root, connectionString, dataDir }: Release, ...words: string[]): Promise<string> {
  const { stdout } = await run('npm', ['run', '-s', 'oja', '--', ...words], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: connectionString, OJA_DATA_DIR: dataDir },
  });
  return stdout;
}
