/** Sends a form of the pages before a session, and tells what was refused. */
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

/** Of one field; what is of none is told at `field` where that is the only one. */
export function faultAt(error: unknown, field: string): string | undefined {
  return isRefusal(error) ? error.fields.get(field) : undefined;
}

/** After how long it may be tried again, where the server says so. */
export function tellTries(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!isRefusal(error)) return error instanceof Error ? error.message : 'It was not taken. Try again.';
  const { retryAfterS, message } = error;
  return retryAfterS === undefined ? message : `${message} Try again in ${retryAfterS} seconds.`;
}
