/**
 * Operations as an interface runs them, by name. Every answer is checked against the operation's
 * output schema: it is plain JSON of that form, without unknown properties.
 */
import assert from 'node:assert/strict';
import { Value } from 'typebox/value';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import { type Operator, type Ran, runOperation } from '../../../src/backoffice/operations/run-operation.ts';
import type { Role } from '../../../src/core/operation.ts';
import type { OperationErrorCode } from '../../../src/core/operation-errors.ts';
import { refusedAct } from '../../support/refusals.ts';
import { type Admin, startAdmin } from '../admin/harness.ts';

export type Operating = Pick<Admin, 'database' | 'services' | 'call' | 'tokenFor'> &
  AsyncDisposable & {
    /** Its answer. By default it is run by ada, an admin. */
    // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
    ask(operation: string, input?: object, operator?: Operator): Promise<any>;
    /** Also whether it was a repetition. */
    ran(operation: string, input: object, operator?: Operator): Promise<Ran>;
    /** It is refused for that reason, without an entry in the audit log. */
    refuses(operation: string, input: object, code: OperationErrorCode, by?: Operator): Promise<void>;
    /** The entries of the audit log since the last call. */
    entries(): Promise<readonly (readonly [actor: string, action: string, subject: string])[]>;
  };

type Entry = {
  readonly actor: string;
  readonly principal: string;
  readonly edge: string;
  readonly action: string;
  readonly subject: string;
};

export function operatorOf(role: Role): Operator {
  return { name: 'ada', principal: `token:oja_pat_aaaaaaaa (ada)`, edge: 'admin', roles: [role] };
}

const ada = operatorOf('admin');

export async function startOperations(): Promise<Operating> {
  const admin = await startAdmin();
  const { database, services } = admin;
  let seen = 0;
  const ran: Operating['ran'] = async (name, input, operator = ada) => {
    const operation = operationNamed(name);
    const done = await runOperation(services, operation, input, operator);
    assertOutput(operation, done.output);
    return done;
  };
  return {
    ...admin,
    ran,
    ask: async (name, input = {}, operator = ada) => (await ran(name, input, operator)).output,
    refuses: async (name, input, code, operator = ada) => {
      const count = async () => (await database.query('select 1 from audit_log')).length;
      const before = await count();
      const what = `${name} ${JSON.stringify(input)}`;
      await assert.rejects(
        runOperation(services, operationNamed(name), input, operator),
        refusedAct(code),
        what,
      );
      assert.equal(await count(), before, what);
    },
    entries: async () => {
      const rows = await database.query<Entry>(
        'select actor, principal, edge, action, subject from audit_log order by id offset $1',
        [seen],
      );
      for (const { principal, edge } of rows.filter(({ actor }) => actor === ada.name)) {
        assert.deepEqual([principal, edge], [ada.principal, ada.edge]);
      }
      seen += rows.length;
      return rows.map(({ actor, action, subject }) => [actor, action, subject] as const);
    },
  };
}

function assertOutput({ name, output: schema }: ReturnType<typeof operationNamed>, output: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(output)), output, `${name} answers plain JSON`);
  const closed = close(JSON.parse(JSON.stringify(schema))) as object;
  const faults = Value.Errors(closed, output).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
  assert.deepEqual(faults, [], `${name} answers what its schema says`);
}

/** Objects with declared properties accept no others. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, close(part)]));
  return Reflect.get(parts, 'type') === 'object' && 'properties' in parts
    ? { ...parts, additionalProperties: false }
    : parts;
}
