/** Submits forms of pages without a session, and keeps the error. */
import { useState } from 'react';
import { isRefusal } from '../../api/call.ts';

export function useSending() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (refused) {
      setError(refused);
    } finally {
      setIsBusy(false);
    }
  };
  return { error, isBusy, send };
}

/** Returns the message of a field. */
export function faultAt(error: unknown, field: string): string | undefined {
  return isRefusal(error) ? error.fields.get(field) : undefined;
}

/** Returns the message of an error, with the time to wait if the server says so. */
export function errorText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!isRefusal(error)) return error instanceof Error ? error.message : 'The request failed. Try again.';
  const { retryAfterS, message } = error;
  return retryAfterS === undefined ? message : `${message} Try again in ${retryAfterS} seconds.`;
}
