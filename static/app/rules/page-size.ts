/** The most that one call of a short list answers. */
export const PAGE = 200
