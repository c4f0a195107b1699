/** The expected errors of the core, for `assert.rejects` and `assert.throws`. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CodedError, GatewayError, OperationError } from '../../src/core/errors.ts';
import type { OperationErrorCode } from '../../src/core/operation-errors.ts';
import type { RequestFault } from '../../src/core/request-fault.ts';
import { sqlState } from '../../src/db/database-errors.ts';

/** A request that is refused with one error of that code. */
export function refusedFor(code: RequestFault['code']): (error: unknown) => boolean {
  return (error) =>
    error instanceof GatewayError && error.faults.length === 1 && error.faults[0]?.code === code;
}

/**
 * An error of ours with that code, such as the reason why a backup or the database cannot be used.
 */
export function failedWith(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CodedError, String(error));
    assert.equal(error.code, code);
    return true;
  };
}

/** A statement that a trigger of the schema refuses, such as a change of an append-only table. */
export function refusedBySchema(error: unknown): boolean {
  return sqlState(error) === 'P0001';
}

/** An operation that is refused with that code, and with these values among its parameters. */
export function refusedAct(
  code: OperationErrorCode,
  facts: Readonly<Record<string, unknown>> = {},
): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof OperationError, String(error));
    assert.equal(error.details.code, code);
    const details: Readonly<Record<string, unknown>> = error.details;
    for (const [name, value] of Object.entries(facts)) {
      assert.ok(isDeepStrictEqual(details[name], value), `${name} is ${String(details[name])}`);
    }
    return true;
  };
}
