/** The bill products that VTpass sells. */
import type { VtpassBill } from './bill.ts';
import { cable } from './cable.ts';
import { education } from './education.ts';
import { electricity } from './electricity.ts';

export const bills: ReadonlyMap<string, VtpassBill> = new Map([
  ['ELECTRICITY', electricity],
  ['CABLE', cable],
  ['EDUCATION', education],
]);
