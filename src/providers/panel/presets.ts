/**
 * The families of panels. A preset has everything but the ids of networks, which differ from panel
 * to panel. No panel documents more than the code of its servers and clients shows.
 */
import { adex } from './presets/adex.ts';
import { msorg } from './presets/msorg.ts';
import { php } from './presets/php.ts';
import { smartrecharge } from './presets/smartrecharge.ts';

export const presets = { msorg, adex, php, smartrecharge } as const;

export type PresetName = keyof typeof presets;

export function isPreset(name: unknown): name is PresetName {
  return typeof name === 'string' && Object.hasOwn(presets, name);
}
