/** Pages of a list that is read by cursors: there is a next page, and the way back that was come by. */

/** Where the page before a cursor began. A cursor from a link has none: its way back leads to the first page. */
const before = new Map<string, string | undefined>()

interface KeyPagesOptions {
  /** The cursor of the shown page; undefined for the first. */
  cursor: string | undefined
  next: string | null
  go: (cursor: string | undefined) => void
}

/** What a `Pager` needs. */
export function keyPages({ cursor, next, go }: KeyPagesOptions) {
  return {
    newer: cursor !== undefined,
    older: next !== null,
    onNewer: () => go(before.get(cursor!)),
    onOlder() {
      before.set(next!, cursor)
      go(next!)
    },
  }
}
