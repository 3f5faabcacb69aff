/** The largest page of a short list. */
export const PAGE = 200
