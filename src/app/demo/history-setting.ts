/** How far the demo's history is, as the database remembers it. */
export const historySetting = {
  name: 'demo_history',
  /** The demo was filled just now. */
  due: 'due',
  /** It sells without a history. */
  none: 'none',
  done: 'done',
} as const;
