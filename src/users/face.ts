/** The two faces of the web application: whose people sign in there. */

/** The operator's people at the console, a merchant's at the portal. */
export const faces = ['console', 'portal'] as const;
export type Face = (typeof faces)[number];
