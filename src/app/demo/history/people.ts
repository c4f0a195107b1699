/** The operator's people of the played week, as the audit log names them. */
import type { Actor } from '../../../kernel/actor.ts';

const person = (name: string): Actor => ({ name, principal: 'demo', edge: 'cli' });

/** Of the support. */
export const tunde: Actor = person('tunde');
/** Of the finances. */
export const ada: Actor = person('ada');
/** Who brings merchants in and sees to the catalog. */
export const ngozi: Actor = person('ngozi');
