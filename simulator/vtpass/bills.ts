/** The bill products that the simulated VTpass sells. */
import type { SimulatedBill } from './bill.ts';
import { cable } from './cable.ts';
import { education } from './education.ts';
import { electricity } from './electricity.ts';

export const bills: readonly SimulatedBill[] = [electricity, cable, education];
