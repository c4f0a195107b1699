/** `oja credential`: the keys with which merchants call the API. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { type CredentialRow, listCredentials } from '../../merchants/credential-store.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { type IssuedCredential, issueCredential } from '../../merchants/operations/issue-credential.ts';
import { revokeCredential } from '../../merchants/operations/revoke-credential.ts';
import { rotateCredential } from '../../merchants/operations/rotate-credential.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readDuration, readEnvironment, readWholeNumber } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { pairs, table } from '../output.ts';

type IssueOptions = {
  readonly env: Environment;
  readonly label?: string;
  readonly ip?: readonly string[];
  readonly rate?: number;
  readonly expiresIn?: number;
};

const DAY_MS = 86_400_000;

export function addCredential(program: Command, run: Run): void {
  const group = program.command('credential').description('API credentials: issue, list, revoke, rotate');
  addIssue(group, run);
  addList(group, run);
  addRevoke(group, run);
  addRotate(group, run);
}

function addIssue(group: Command, run: Run): void {
  addCommand<[string], IssueOptions>(group, run, {
    name: 'issue',
    description: 'issue a credential; its secret is shown once and kept nowhere',
    examples: [
      'credential issue SHOP --env test',
      'credential issue SHOP --env live --label "till 4" --ip 203.0.113.7 198.51.100.0/24 --rate 50 --expires-in 90d',
    ],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .requiredOption('--env <environment>', 'test or live', readEnvironment)
        .option('--label <text>', 'what it is for')
        .option('--ip <cidr...>', 'addresses or networks it may be used from (default: any)')
        .option(
          '--rate <number>',
          "requests a second; 0 is no limit (default: the gateway's)",
          readWholeNumber,
        )
        .option('--expires-in <time>', 'for example 12h or 90d (default: never)', readDuration),
    work: async (session, [merchantCode], options) => {
      const pepper = await session.pepper();
      const issued = await session.database.transaction((tx) =>
        issueCredential(
          tx,
          pepper,
          {
            merchantCode,
            environment: options.env,
            label: options.label,
            allowedIps: options.ip,
            rateLimitPerS: options.rate,
            expiresAt: after(session.now, options.expiresIn),
          },
          session.actor,
        ),
      );
      return { data: issuedData(issued, session.now), text: issuedText(issued) };
    },
  });
}

function addList(group: Command, run: Run): void {
  addCommand<[string], object>(group, run, {
    name: 'list',
    description: "list a merchant's credentials, those that are no longer valid too",
    examples: ['credential list SHOP'],
    configure: (command) => command.argument('<merchant>', "the merchant's code"),
    work: async ({ database, now }, [code]) => {
      const merchant = await findMerchant(database, code);
      if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
      const credentials = await listCredentials(database, merchant.id);
      return {
        data: credentials.map((credential) => credentialData(credential, now)),
        text: table(
          credentials,
          [
            { title: 'KEY', of: (row) => row.key_id },
            { title: 'ENV', of: (row) => row.environment },
            { title: 'STATE', of: (row) => stateOf(row, now) },
            { title: 'LABEL', of: (row) => row.label || '-' },
            { title: 'ADDRESSES', of: (row) => row.allowed_ips.join(' ') || 'any' },
            { title: 'RATE/S', of: (row) => optional(row.rate_limit_per_s, String), right: true },
            { title: 'ISSUED', of: (row) => formatTime(row.created_at) },
            { title: 'EXPIRES', of: (row) => optional(row.expires_at, formatTime) },
            { title: 'LAST USED', of: (row) => optional(row.last_used_at, formatTime) },
          ],
          'No credentials.',
        ),
      };
    },
  });
}

function addRevoke(group: Command, run: Run): void {
  addCommand<[string], object>(group, run, {
    name: 'revoke',
    description: 'end a credential at once, on every gateway process',
    examples: ['credential revoke oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA'],
    writes: true,
    configure: (command) => command.argument('<key>', 'the key of the credential'),
    work: async ({ database, actor }, [key]) => {
      const { changed } = await database.transaction((tx) => revokeCredential(tx, key, actor));
      return {
        data: { key, state: 'revoked', changed },
        text: `${key} is ${changed ? 'now' : 'already'} revoked.`,
      };
    },
  });
}

function addRotate(group: Command, run: Run): void {
  addCommand<[string], { readonly overlap: number; readonly expiresIn?: number }>(group, run, {
    name: 'rotate',
    description: 'issue a credential on the same terms; the old one works on for the overlap, then no more',
    examples: ['credential rotate oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --overlap 24h'],
    writes: true,
    configure: (command) =>
      command
        .argument('<key>', 'the key of the old credential')
        .option('--overlap <time>', 'how long the old one still works (default: 24h)', readDuration)
        .option(
          '--expires-in <time>',
          'when the new one ends (default: as long a life as the old one)',
          readDuration,
        ),
    work: async (session, [keyId], { overlap = DAY_MS, expiresIn }) => {
      const { now, actor, database } = session;
      const pepper = await session.pepper();
      const oldEndsAt = new Date(now.getTime() + overlap);
      const rotated = await database.transaction((tx) =>
        rotateCredential(tx, pepper, { keyId, oldEndsAt, expiresAt: after(now, expiresIn), now }, actor),
      );
      return {
        data: { ...issuedData(rotated, now), replaces: { key: keyId, expires_at: rotated.oldEndsAt } },
        text: `${issuedText(rotated)}\n\n${keyId} works until ${formatTime(rotated.oldEndsAt)}.`,
      };
    },
  });
}

function issuedText({ credential, secret }: IssuedCredential): string {
  return [
    pairs([
      ['Key', credential.key_id],
      ['Secret', secret],
      ['Environment', credential.environment],
      ['Addresses', credential.allowed_ips.join(' ') || 'any'],
      ['Expires', optional(credential.expires_at, formatTime)],
    ]),
    '',
    'The secret is not shown again.',
  ].join('\n');
}

function issuedData({ credential, secret }: IssuedCredential, now: Date): Record<string, unknown> {
  return { ...credentialData(credential, now), secret };
}

function credentialData(credential: CredentialRow, now: Date): Record<string, unknown> {
  const { key_id: key, merchant_id: _, ...rest } = credential;
  return { key, state: stateOf(credential, now), ...rest };
}

function stateOf(credential: CredentialRow, now: Date): 'active' | 'expired' | 'revoked' {
  if (credential.revoked_at !== null) return 'revoked';
  return credential.expires_at !== null && credential.expires_at <= now ? 'expired' : 'active';
}

function after(now: Date, durationMs: number | undefined): Date | undefined {
  return durationMs === undefined ? undefined : new Date(now.getTime() + durationMs);
}
