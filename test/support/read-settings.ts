/** Settings read as a gateway reads them at its start. */
import { type Environ, SettingsReader } from '../../src/kernel/settings-reader.ts';

/** What `read` makes of them, and the names of those that are at fault. */
export function readSettings<Settings>(
  read: (reader: SettingsReader) => Settings,
  environ: Environ,
): { readonly settings: Settings; readonly faults: readonly (string | undefined)[] } {
  const reader = new SettingsReader(environ);
  const settings = read(reader);
  return { settings, faults: reader.faults.map((fault) => fault.split(' ')[0]) };
}
