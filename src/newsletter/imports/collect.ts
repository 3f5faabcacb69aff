/** The heap would grow by what the pages leave behind long before the engine collects it unasked. */
const PAGES_A_COLLECTION = 25

/** To be called after a part of an upload is stored: many parts would pile up before the engine collects them. */
export function collectAfterPart(): void {
  setImmediate(() => Bun.gc(true))
}

let pages = 0

/** To be called after each page of a file, outside a transaction: bounds the memory of reading large files. */
export function collectAfterPage(): void {
  pages += 1
  if (pages % PAGES_A_COLLECTION === 0) Bun.gc(true)
}
