/** The settings of the operator's account at Depot. */
import {
  baseUrlSetting,
  connectorSettings,
  type ReadSettings,
  requiredSetting,
  scaledMs,
} from '../../../../src/core/connector-settings.ts';

const depotSettings = connectorSettings('Depot', {
  baseUrl: baseUrlSetting('OJA_DEPOT_URL', 'https://depot.example'),
  key: requiredSetting('OJA_DEPOT_KEY'),
  deadlineMs: scaledMs(15_000),
});

export type DepotSettings = ReadSettings<typeof depotSettings>;

/** Reads the settings. Undefined when none is set, and the bank is then not used. */
export const readDepot = depotSettings.read;
