/** The heap would grow by what the pages leave behind long before the engine collects it unasked. */
const PAGES_A_COLLECTION = 25

let pages = 0

/** To be called after each page of a file, outside a transaction: bounds the memory of reading large files. */
export function collectAfterPage(): void {
  pages += 1
  if (pages % PAGES_A_COLLECTION === 0) Bun.gc(true)
}
