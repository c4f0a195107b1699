/** How the answers of a person about a purchase are told from those of providers. */

/** The code of an answer that a person brought, from the provider's support. */
export const operatorCode = 'operator';
/** Of one against the provider's own word, which a second person has approved. */
export const overrideCode = 'operator_override';
