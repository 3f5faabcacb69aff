import { edenGC, fullGC } from 'bun:jsc'

/** A collection of everything takes longer than one of what is new, and frees what outlived some pages. */
const PAGES_A_COLLECTION = 12
/** Giving memory back to the system also drops compiled code, which the next pages compile again. */
const PAGES_A_RETURN = 5 * PAGES_A_COLLECTION

/** To be called after a part of an upload is stored: many parts would pile up before the engine collects them. */
export function collectAfterPart(): void {
  setImmediate(() => Bun.gc(true))
}

let pages = 0

/**
 * To be called after each page of a large file that was read or saved, outside a transaction. The heap would grow by
 * what many pages leave behind before the engine collects it unasked, and hardly shrinks again.
 */
export function collectAfterPage(): void {
  pages += 1
  if (pages % PAGES_A_RETURN === 0) Bun.gc(true)
  else if (pages % PAGES_A_COLLECTION === 0) fullGC()
  else edenGC()
}
