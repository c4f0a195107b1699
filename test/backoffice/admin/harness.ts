/** The admin API on a database of the test, called without a network. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { findOperator } from '../../../src/backoffice/access/find-operator.ts';
import { buildAdminServer } from '../../../src/backoffice/admin/server.ts';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import { type Operator, runOperation } from '../../../src/backoffice/operations/run-operation.ts';
import type { Services } from '../../../src/backoffice/operations/services.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { type Role, roles } from '../../../src/core/operation.ts';
import { createSealer, parseSealingKey } from '../../../src/core/sealing.ts';
import type { Database } from '../../../src/db/database.ts';
import { builtInBanks } from '../../../src/funding/banks/registry.ts';
import { createAddressGuard } from '../../../src/notifications/webhooks/address-guard.ts';
import { loadPepper } from '../../../src/operate/keys/secrets.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { createTestDatabase } from '../../support/database.ts';

type AdminCall = {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type AdminAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

export type Admin = AsyncDisposable & {
  readonly database: Database;
  readonly services: Services;
  readonly app: FastifyInstance;
  /** As the system user of the machine. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  run(operation: string, input: unknown, operator?: Operator): Promise<any>;
  /** A token with that role, created for `name`. */
  /** Its log lines. */
  readonly logged: readonly object[];
  tokenFor(role: Role, name?: string): Promise<string>;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call?: AdminCall): Promise<AdminAnswer>;
};

export const systemUser: Operator = { name: 'root', principal: 'user:root', edge: 'cli', roles };

export async function startAdmin(): Promise<Admin> {
  const clone = await createTestDatabase();
  const { database } = clone;
  const key = parseSealingKey(randomBytes(32).toString('hex'));
  assert.ok(key);
  const sealer = createSealer(key);
  const services: Services = {
    database,
    reads: database,
    clock: systemClock,
    pepper: () => loadPepper(database, sealer),
    sealer: () => Promise.resolve(sealer),
    providers: builtInProviders,
    banks: builtInBanks,
    openProviders: () => Promise.resolve({ providers: new Map(), [Symbol.asyncDispose]: async () => {} }),
    openBanks: () => Promise.resolve({ banks: new Map(), [Symbol.asyncDispose]: async () => {} }),
    approvalLimits: { correction: 1_000_000_00n },
    signIn: {
      addresses: { console: 'http://127.0.0.1:8082', portal: 'http://127.0.0.1:8083' },
      hasMail: true,
    },
    liveChannels: ['email', 'sms'],
    webhookRules: {
      guard: createAddressGuard({ allowed: [], allowsLoopback: false }),
      isRelaxed: false,
    },
    openFunding: async ({ merchant: { code } }, { currency }) => ({
      currency,
      status: 'active',
      documentUploaded: false,
      convenienceFee: 0n,
      account: { number: '6012345678', name: code, bankName: 'A bank' },
    }),
  };
  const logged: object[] = [];
  const app = await buildAdminServer({
    services,
    findOperator: (token) => findOperator(database, token, 'admin'),
    version: '0.0.0',
    log: { info: (fields: object) => void logged.push(fields), error: () => undefined },
  });
  const run: Admin['run'] = async (name, input, operator = systemUser) =>
    (await runOperation(services, operationNamed(name), input, operator)).output;
  return {
    database,
    services,
    app,
    logged,
    run,
    tokenFor: async (role, name = role) => (await run('token.create', { role: [role], name })).token,
    call: async (method, path, { token, body, headers = {} } = {}) => {
      const answer = await app.inject({
        method,
        url: `/admin/v1${path}`,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}
