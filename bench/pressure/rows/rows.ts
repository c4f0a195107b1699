/** The rows of the pressure suite, by name. */
import type { RowName } from '../options.ts';
import type { Row } from '../row.ts';
import { locked, pages, snapshot } from './database.ts';
import { forgotten } from './forgotten.ts';
import { availability, pictures, polls } from './goods.ts';
import { limits, processes } from './processes.ts';
import { paced, sick, slow } from './providers.ts';
import { uploads } from './uploads.ts';

export const rows: Readonly<Record<RowName, Row>> = {
  slow,
  sick,
  paced,
  locked,
  pages,
  snapshot,
  pictures,
  availability,
  polls,
  uploads,
  forgotten,
  processes,
  limits,
};
