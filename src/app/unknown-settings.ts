/** Finds variables that look like settings of Oja but are not: misspelt, or of another version. */

import { SettingsReader } from '../core/settings-reader.ts';
import type { UnknownSetting } from '../operate/doctor/check-machine.ts';
import { readConfig, type Variables } from './config.ts';
import type { Registries } from './registries.ts';

/** The largest edit distance that counts as a typing error. */
const DISTANCE_MAX = 2;

/** Undefined if no name is similar. Otherwise the most similar one. */
function nearestName(typed: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = DISTANCE_MAX + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= least) continue;
    const distance = editDistance(typed, name);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Returns the Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= other.length; index += 1) {
      const changed = (row[index - 1] ?? 0) + (one[at - 1] === other[index - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Settings of commands, and of the demo's simulator, which reads its own. */
const others = ['OJA_TOKEN'];
const otherPrefix = 'OJA_SIMULATOR_';
/** Settings without the prefix are recognised if they are nearly right. */
const plain = ['DATABASE_URL', 'METRICS_HOST', 'METRICS_PORT'];
const NEARLY_RIGHT = /^(?:DATABASE|METRICS?)_?[A-Z]+$/;

export function findUnknownSettings(variables: Variables, registries: Registries): UnknownSetting[] {
  const read = new SettingsReader(variables);
  readConfig(read, registries);
  const known = new Set([...read.names, ...others]);
  return Object.keys(variables)
    .filter(
      (name) =>
        !known.has(name.replace(/_FILE$/, '')) && !name.startsWith(otherPrefix) && variables[name] !== '',
    )
    .flatMap((name) => {
      if (name.startsWith('OJA_')) return [{ name, nearest: nearestName(name, known) }];
      const nearest = NEARLY_RIGHT.test(name) ? nearestName(name, plain) : undefined;
      return nearest === undefined ? [] : [{ name, nearest }];
    });
}
