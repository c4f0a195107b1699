/** Distinguishes answers of people about a purchase from those of providers. */

/** The code of an answer that a person brought from the provider's support. */
export const operatorCode = 'operator';
/** The code of one that overrides the provider, which a second person has approved. */
export const overrideCode = 'operator_override';
