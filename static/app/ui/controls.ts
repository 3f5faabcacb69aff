/** Selects what takes the focus and can be used. */
export const CONTROLS =
  'a[href], button:not([aria-disabled=true]), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'
