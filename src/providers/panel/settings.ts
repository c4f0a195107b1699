/** The settings of an account at a panel. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
  setting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { CommonSettings, ProviderSettings } from '../provider-definition.ts';
import type { PanelMapping } from './mapping-schema.ts';
import { readMapping } from './read-mapping.ts';

export const panelSettings = connectorSettings('the panel', {
  baseUrl: baseUrlSetting('OJA_PANEL_URL', ''),
  key: requiredSetting('OJA_PANEL_KEY'),
  /** `username:password`, where the mapping reads the balance by it. */
  login: optionalSetting('OJA_PANEL_LOGIN', 'secret'),
  mapping: { ...setting('OJA_PANEL_MAPPING', 'plain', mappingOf), use: 'required' },
  /**
   * For products whose success is not final, because the panel is known to lie. `async`: sync
   * purchases skip the panel. `sync`: they are sent. `final`: a success is final all the same.
   */
  provisional: setting<'async' | 'sync' | 'final'>('OJA_PANEL_PROVISIONAL', 'plain', (read, name) =>
    read.choice(name, ['async', 'sync', 'final'], 'async'),
  ),
  connectionsMax: limit(10),
  deadlineMs: scaledMs(50_000),
});

export type PanelSettings = ProviderSettings<typeof panelSettings> & {
  readonly mapping: PanelMapping;
  readonly timeScale: number;
};

/** Undefined with an error when the mapping is set and wrong. */
function mappingOf(read: SettingsReader, name: string): PanelMapping | undefined {
  const json = read.raw(name);
  if (json === undefined) return undefined;
  const found = readMapping(json);
  if ('mapping' in found) return found.mapping;
  for (const fault of found.faults) read.faults.push(`${name}: ${fault}`);
  return undefined;
}

export function readPanel(
  read: SettingsReader,
  { notFoundGraceMs, timeScale }: Pick<CommonSettings, 'notFoundGraceMs' | 'timeScale'>,
): PanelSettings | undefined {
  const settings = panelSettings.read(read);
  if (settings === undefined) return undefined;
  // There is no default address.
  read.require('OJA_PANEL_URL', 'other settings of the panel are set');
  const { mapping, baseUrl } = settings;
  if (mapping === undefined || baseUrl === '') return undefined;
  return { ...settings, mapping, timeScale, notFoundGraceMs };
}
