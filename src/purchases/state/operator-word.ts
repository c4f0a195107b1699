/** Distinguishes answers about a purchase that people entered from those of providers. */

/** The code of an answer that a person brought from the provider's support. */
export const operatorCode = 'operator';
/** The code of an answer that overrides the provider and that a second person has approved. */
export const overrideCode = 'operator_override';
