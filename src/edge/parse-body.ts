/**
 * The body of a call at the listeners that run operations: the admin API, the console, the portal.
 *
 * No input is deeper than a few levels. What checks an input, or writes it down, goes into each
 * level by calling itself, so that some thousand of them would end in a full stack.
 */
const DEPTH_MAX = 32;

/**
 * No body is an empty object. Throws what `refuse` makes of a message for the caller where it is no
 * JSON, or has more than 32 levels.
 */
export function parseBody(text: string, refuse: (message: string) => Error): unknown {
  if (text === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refuse('The body must be a JSON object');
  }
  if (isDeeper(body, DEPTH_MAX)) {
    throw refuse(`The body is nested too deeply: at most ${DEPTH_MAX} levels are accepted`);
  }
  return body;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
