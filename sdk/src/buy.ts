/**
 * A purchase under one reference, which every repetition keeps. It is sent again only if the
 * gateway reports that nothing was stored. If that is unknown, its status is queried first. If the
 * outcome stays unknown, the client throws `OutcomeUnknownError`, never a failure.
 */
import { nothingWasDone, retryAfterOf } from './call.ts';
import { type Outcome, type Request, send } from './connection.ts';
import { DuplicateReferenceError, type OjaError, OutcomeUnknownError } from './errors.ts';
import { type CallOptions, readCallOptions, type Settings } from './options.ts';
import { delayBefore, longestRetryAfterMs, sleep } from './retry.ts';

export type Buying<Answer> = {
  readonly reference: string;
  /** The reference was made here, so no other call can have used it. */
  readonly isOwn: boolean;
  readonly create: Request;
  /** The status of the reference. */
  readonly ask: Request;
  /** Undefined for an answer that is not about this reference. */
  readonly readCreated: (value: unknown) => Answer | undefined;
  readonly readStatus: (value: unknown) => Answer | undefined;
  /** Whether the purchase stored under the reference equals the one sent now. */
  readonly isSame: (answer: Answer) => boolean;
};

type Under = { readonly settings: Settings; readonly signal: AbortSignal | undefined };

export async function buy<Answer>(
  client: Settings,
  buying: Buying<Answer>,
  options: CallOptions = {},
): Promise<Answer> {
  const under: Under = { settings: readCallOptions(client, options), signal: options.signal };
  under.signal?.throwIfAborted();
  try {
    return await sendUntilKnown(under, buying);
  } catch (error) {
    const isEnded = under.signal?.aborted === true && error === under.signal.reason;
    throw isEnded ? unknown(buying.reference, 'the call was ended', error) : error;
  }
}

async function sendUntilKnown<Answer>(under: Under, buying: Buying<Answer>): Promise<Answer> {
  const { settings, signal } = under;
  const { reference } = buying;
  /** The reason why the outcome of an earlier request is unknown. */
  let doubt: OjaError | undefined;
  for (let repetition = 0; ; repetition += 1) {
    const mayRepeat = repetition < settings.maxRetries;
    const outcome = await send(settings, buying.create, signal);
    const answer = outcome.kind === 'answer' ? buying.readCreated(outcome.value) : undefined;
    if (answer !== undefined) return answer;
    const saying = sayingOf(outcome, buying.isOwn || doubt !== undefined);
    const error =
      outcome.kind === 'answer' ? unknown(reference, 'the answer is about something else') : outcome.error;
    if (saying === 'refused') throw endOf(reference, doubt, error);
    if (saying === 'nothing done') {
      const retryAfterMs = retryAfterOf(outcome);
      if (!mayRepeat || (retryAfterMs ?? 0) > longestRetryAfterMs) throw endOf(reference, doubt, error);
      await sleep(delayBefore(repetition, retryAfterMs), signal);
      continue;
    }
    doubt = error;
    const found = await askUntilSaid(under, buying, doubt);
    if (found !== undefined) return sameOrRefused(buying, found);
    if (!mayRepeat) throw unknown(reference, 'it was not stored when its status was asked', doubt);
    await sleep(delayBefore(repetition), signal);
  }
}

/** The meaning of an answer other than success for the purchase. */
function sayingOf(outcome: Outcome, mayBeOurs: boolean): 'nothing done' | 'refused' | 'doubt' {
  if (nothingWasDone(outcome)) return 'nothing done';
  switch (outcome.kind) {
    case 'foreign':
      return outcome.isRedirect ? 'refused' : 'doubt';
    case 'refusal': {
      // A failed check at a provider: for a purchase, nothing was stored.
      if (outcome.status === 502) return 'nothing done';
      // The purchase that has the reference is this one, unless its fields differ.
      const isOurs = outcome.error instanceof DuplicateReferenceError && mayBeOurs && !outcome.error.differs;
      return outcome.status === 500 || isOurs ? 'doubt' : 'refused';
    }
    default:
      return 'doubt';
  }
}

/** Returns the purchase under the reference, or undefined if it is free. Rejects if unknown. */
async function askUntilSaid<Answer>(
  { settings, signal }: Under,
  { ask, reference, readStatus }: Buying<Answer>,
  doubt: OjaError,
): Promise<Answer | undefined> {
  for (let repetition = 0; ; repetition += 1) {
    const outcome = await send(settings, ask, signal);
    const answer = outcome.kind === 'answer' ? readStatus(outcome.value) : undefined;
    if (answer !== undefined) return answer;
    const status = outcome.kind === 'refusal' ? outcome.status : undefined;
    if (status === 404) return undefined;
    const isFinal = status !== undefined && status < 500 && status !== 408 && status !== 429;
    const retryAfterMs = retryAfterOf(outcome);
    if (isFinal || repetition >= settings.maxRetries || (retryAfterMs ?? 0) > longestRetryAfterMs) {
      throw unknown(reference, 'its status could not be asked', doubt);
    }
    await sleep(delayBefore(repetition, retryAfterMs), signal);
  }
}

function sameOrRefused<Answer>({ reference, isOwn, isSame }: Buying<Answer>, found: Answer): Answer {
  if (isOwn || isSame(found)) return found;
  throw new DuplicateReferenceError('This reference was used before, for another purchase: use a new one', {
    reference,
    purchase: { request_id: reference, differs: true },
  });
}

/**
 * After an unknown outcome a refusal does not settle it, because the first request may still
 * arrive. It cannot arrive if another purchase has the reference.
 */
function endOf(reference: string, doubt: OjaError | undefined, error: OjaError): OjaError {
  const isTaken = error instanceof DuplicateReferenceError;
  return doubt === undefined || isTaken ? error : unknown(reference, 'it could not be sent again', error);
}

function unknown(reference: string, why: string, cause?: unknown): OutcomeUnknownError {
  const message = `Whether the purchase was made is not known: ${why}. Ask for the status of ${JSON.stringify(reference)}; do not buy under another reference`;
  return new OutcomeUnknownError(message, { reference, cause });
}
