/** Variables that look like settings of Oja, and are none: misspelt, or of another version. */
import type { UnknownSetting } from '../doctor/check-settings.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { SettingsReader } from '../kernel/settings-reader.ts';
import { readConfig, type Variables } from './config.ts';
import type { Registries } from './registries.ts';

/** Of commands, and of the demo's simulator, which reads its own. */
const others = ['OJA_TOKEN'];
const otherPrefix = 'OJA_SIMULATOR_';
/** Those without the prefix are recognised where they are nearly right. */
const plain = ['DATABASE_URL', 'METRICS_HOST', 'METRICS_PORT'];
const NEARLY_RIGHT = /^(?:DATABASE|METRICS?)_?[A-Z]+$/;

export function findUnknownSettings(variables: Variables, registries: Registries): UnknownSetting[] {
  const read = new SettingsReader(variables);
  readConfig(read, registries);
  const known = new Set([...read.names, ...others]);
  return Object.keys(variables)
    .filter((name) => !known.has(name) && !name.startsWith(otherPrefix) && variables[name] !== '')
    .flatMap((name) => {
      if (name.startsWith('OJA_')) return [{ name, nearest: nearestName(name, known) }];
      const nearest = NEARLY_RIGHT.test(name) ? nearestName(name, plain) : undefined;
      return nearest === undefined ? [] : [{ name, nearest }];
    });
}
