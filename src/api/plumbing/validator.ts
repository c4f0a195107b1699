/** Validates merchants' requests, and the rows of their files, by schemas. */
import { formats } from './formats.ts';
import { annotationNames } from './openapi/annotations.ts';

/** Options of Ajv. */
export const validatorOptions = {
  // Input is never repaired. All errors of a request are reported together.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: true,
  verbose: true,
  discriminator: true,
  formats,
  keywords: [...annotationNames],
};
