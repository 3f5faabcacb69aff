import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../store/open.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { import_pages, import_texts } from '../../store/tables/imports.ts'

/** Where the file of an import and what was read from it are kept, until they are not needed any more. */

const PIECE_BYTES = 256 * 1024

export async function keepText(tx: Tx, import_id: number, text: Uint8Array): Promise<void> {
  for (let number = 0; number * PIECE_BYTES < text.length; number++) {
    await tx
      .insert(import_texts)
      .values({ import_id, number, bytes: text.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES) })
  }
}

/** The text of a file piece by piece. */
export async function* keptText(db: Reader, import_id: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for (let number = 0; ; number++) {
    const [piece] = await db
      .select({ bytes: import_texts.bytes })
      .from(import_texts)
      .where(sql`${import_texts.import_id} = ${import_id} AND ${import_texts.number} = ${number}`)
    if (!piece) break
    yield decoder.decode(piece.bytes, { stream: true })
  }
  yield decoder.decode()
}

/** People who were read from a file, and how many rows were not. */
export interface Page {
  /** The last row that it is about. */
  last_row: number
  rows: number
  failed: number
  duplicates: number
  /** `RowPerson[]` as JSON. */
  people: string
}

export async function keepPage(tx: Tx, import_id: number, page: Page): Promise<void> {
  await tx.insert(import_pages).values({ import_id, ...page })
}

export async function dropText(tx: Tx, import_id: number): Promise<void> {
  await tx.delete(import_texts).where(eq(import_texts.import_id, import_id))
}

/** As many as the largest file that the API takes can make; what is left of a larger one goes with `importRetention`. */
const PAGES_AT_ONCE = 1000

export async function dropPages(tx: Tx, import_id: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM import_pages WHERE import_id = ${import_id} AND last_row IN (SELECT last_row FROM import_pages WHERE import_id = ${import_id} LIMIT ${PAGES_AT_ONCE})`,
  )
}

/** An import that nobody commits, or tries again after it failed, is ended after this time: what lies in it are people's addresses. */
export const UNCOMMITTED_KEPT_MS = 7 * 24 * 3_600_000

/** Cancels forgotten imports; `importRetention` then removes what is stored of them. */
export async function endForgottenImports(tx: Tx, now: number): Promise<void> {
  await tx.run(sql`
    UPDATE imports SET status = 'cancelled', updated_at = ${now}, finished_at = ${now}
    WHERE status IN ('staged', 'validated', 'failed') AND updated_at <= ${now - UNCOMMITTED_KEPT_MS}`)
}

const isOver = sql`import_id IN (SELECT id FROM imports WHERE status IN ('completed', 'cancelled'))`

export const importRetention: readonly RetentionRule[] = [
  {
    rows: 'rows of imports',
    kept: 'until the import ends; an import that is not committed is canceled 7 days after its last change',
    batch: 100,
    statement: (_, limit) => deleteWhere('import_pages', 'rowid', isOver, limit),
  },
  {
    rows: 'uploaded text of imports',
    kept: 'as their rows',
    batch: 100,
    statement: (_, limit) => deleteWhere('import_texts', 'rowid', isOver, limit),
  },
]
