/** The pages of a list that is read by cursors: the way to the next one, and the way back that was come by. */

/** Where the page before a cursor began. A cursor from a link has none: its way back leads to the first page. */
const before = new Map<string, string | undefined>()

interface KeyPagesOptions {
  /** The cursor of the shown page; undefined for the first. */
  cursor: string | undefined
  /** The cursor of the next page. */
  next: string | null | undefined
  go: (cursor: string | undefined) => void
}

/** What a `Pager` needs. */
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
