/**
 * Functions that a database has and this version of Oja has not. Those of the release before stay,
 * for its processes may still serve. Those of older releases go. What nobody knows is told, where
 * it could be taken for one of ours.
 */

export type FunctionLists = {
  /** `function name(types)`, as `listSchemaObjects` writes them; other lines do not matter. */
  readonly present: readonly string[];
  /** What the files of this version make. */
  readonly current: readonly string[];
  /** What releases had, the oldest first. */
  readonly releases: readonly (readonly string[])[];
};

export type FunctionVerdict = {
  /** Signatures to be dropped. */
  readonly outlived: readonly string[];
  /** Signatures of unknown functions that have the name of one of ours. */
  readonly unknown: readonly string[];
};

export function judgeFunctions({ present, current, releases }: FunctionLists): FunctionVerdict {
  const kept = new Set([...current, ...(releases.at(-1) ?? [])]);
  const known = new Set(releases.flat());
  const names = new Set([...current, ...known].filter(isFunction).map(nameOf));
  const odd = present.filter((line) => isFunction(line) && !kept.has(line));
  return {
    outlived: odd.filter((line) => known.has(line)).map(signatureOf),
    unknown: odd.filter((line) => !known.has(line) && names.has(nameOf(line))).map(signatureOf),
  };
}

const mark = 'function ';

function isFunction(line: string): boolean {
  return line.startsWith(mark);
}

function signatureOf(line: string): string {
  return line.slice(mark.length);
}

function nameOf(line: string): string {
  return line.slice(mark.length, line.indexOf('('));
}
