/** The pages of a list with cursors: the next page, and the way back. */

/** The start of the page before each cursor. A cursor from a link has none: its way back leads to the first page. */
const before = new Map<string, string | undefined>()

interface KeyPagesOptions {
  /** The cursor of the shown page; undefined for the first. */
  cursor: string | undefined
  /** The cursor of the next page. */
  next: string | null | undefined
  go: (cursor: string | undefined) => void
}

/** The properties for a `Pager`. */
export function keyPages({ cursor, next, go }: KeyPagesOptions) {
  return {
    newer: cursor !== undefined,
    older: Boolean(next),
    onNewer: () => go(before.get(cursor!)),
    onOlder() {
      before.set(next!, cursor)
      go(next!)
    },
  }
}
