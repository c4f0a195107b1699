/** The type of a preset, and the form of its refusals. */
import type { PanelMapping, PanelOrder } from '../mapping-schema.ts';

/** A mapping without the ids of networks, which differ from panel to panel. */
export type Preset = Omit<PanelMapping, 'networks'>;
export type Lookup = NonNullable<PanelOrder['lookup']>;

/** Refusals of our account or of the panel's products: another provider may serve the order. */
export const onProvider = (http: readonly number[], ...texts: readonly string[]): Preset['refusals'] =>
  texts.map((text) => ({ http: [...http], text, fault: 'provider' }));
/** Refusals that end the order. */
export const onOrder = (http: readonly number[], ...texts: readonly string[]): Preset['refusals'] =>
  texts.map((text) => ({ http: [...http], text, fault: 'order' }));
