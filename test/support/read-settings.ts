/** Settings read as a gateway reads them at its start. */
import { SettingsReader, type Variables } from '../../src/core/settings-reader.ts';
import type { CommonSettings } from '../../src/providers/provider-definition.ts';

export const commonSettings: CommonSettings = {
  contactPhone: '08031234567',
  contactEmail: 'bills@example.com',
  businessName: 'Mama Put',
  notFoundGraceMs: 0,
  timeScale: 1,
  providerLimits: new Map(),
};

/** Returns the settings as `read` returns them, and the names of faulty ones. */
export function readSettings<Settings>(
  read: (reader: SettingsReader) => Settings,
  variables: Variables,
): { readonly settings: Settings; readonly faults: readonly (string | undefined)[] } {
  const reader = new SettingsReader(variables);
  const settings = read(reader);
  return { settings, faults: reader.faults.map((fault) => fault.split(' ')[0]) };
}
