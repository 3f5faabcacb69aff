import { DAY_MS } from '../../clock.ts'
import { note } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../store/open.ts'
import { deleteWhere, type RetentionRule, surplusOf } from '../../store/retention.ts'
import { hasRows } from '../../store/rows.ts'
import { type Encoding, import_pages, import_texts } from '../../store/tables/imports.ts'
import { decodeText } from './decode.ts'
import { dropRefusals, refusalRetention, storeRefusals } from './refusals.ts'

/** Stores the file of an import and the pages that were read from it, until they are no longer needed. */

const PIECE_BYTES = 64 * 1024

export async function storeText(tx: Tx, import_id: number, text: Uint8Array): Promise<void> {
  await storePieces(tx, import_id, text, 0)
}

/** Stores further bytes of a file. */
export async function appendText(tx: Tx, import_id: number, bytes: Uint8Array): Promise<void> {
  const stored = await tx.$count(import_texts, eq(import_texts.import_id, import_id))
  await storePieces(tx, import_id, bytes, stored)
}

async function storePieces(tx: Tx, import_id: number, bytes: Uint8Array, from: number): Promise<void> {
  for (let number = 0; number * PIECE_BYTES < bytes.length; number++) {
    const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES)
    await tx.insert(import_texts).values({ import_id, number: from + number, bytes: piece })
  }
}

/** The stored text of a file, in pieces, by the encoding that was chosen for it. */
export function storedText(
  db: Reader,
  { import_id, encoding }: { import_id: number; encoding: Encoding | null },
): AsyncGenerator<string> {
  return decodeText(storedBytes(db, import_id), encoding)
}

async function* storedBytes(db: Reader, import_id: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [piece] = await db
      .select({ bytes: import_texts.bytes })
      .from(import_texts)
      .where(sql`${import_texts.import_id} = ${import_id} AND ${import_texts.number} = ${number}`)
    if (!piece) return
    yield piece.bytes
  }
}

/** People that were read from a range of rows, and counts of the other rows. */
export interface ImportPage {
  /** The last row of the range. */
  last_row: number
  rows: number
  failed: number
  duplicates: number
  /** `RowPerson[]` as JSON. */
  people: string
}

/** A page of a dry-run with the reasons for its other rows, as JSON. */
export interface ReadPage extends ImportPage {
  refusals: string | null
}

export async function storePage(tx: Tx, import_id: number, { refusals, ...page }: ReadPage): Promise<void> {
  await tx.insert(import_pages).values({ import_id, ...page })
  await storeRefusals(tx, import_id, refusals)
}

/** Whether the page that ends with this row is stored. */
export async function hasPage(db: Reader, import_id: number, last_row: number): Promise<boolean> {
  return hasRows(
    await db.all(sql`SELECT 1 FROM import_pages WHERE import_id = ${import_id} AND last_row = ${last_row}`),
  )
}

export async function dropText(tx: Tx, import_id: number): Promise<void> {
  await tx.delete(import_texts).where(eq(import_texts.import_id, import_id))
}

/** The most pages of a file that the API accepts; `importRetention` deletes the rest of a larger file. */
const PAGES_AT_ONCE = 1000

/** Deletes all pages and reasons; a step of a job has the time. */
export async function dropAllPages(tx: Tx, import_id: number): Promise<void> {
  await dropRefusals(tx, import_id)
  await tx.delete(import_pages).where(eq(import_pages.import_id, import_id))
}

/** Deletes the pages and reasons of a file that the API accepts. */
export async function dropPages(tx: Tx, import_id: number): Promise<void> {
  await dropRefusals(tx, import_id)
  await tx.run(
    sql`DELETE FROM import_pages WHERE import_id = ${import_id}
      AND last_row IN (SELECT last_row FROM import_pages WHERE import_id = ${import_id} LIMIT ${PAGES_AT_ONCE})`,
  )
}

/**
 * An import that is not committed, or not run again after it failed, ends after this time, because it stores addresses.
 */
const UNCOMMITTED_RETENTION_MS = 7 * DAY_MS

/** Cancels abandoned imports; `importRetention` then deletes their stored rows. */
export async function cancelAbandonedImports(tx: Tx, now: number): Promise<void> {
  const cancelled = await tx.all<{ id: number; project_id: ProjectId }>(sql`
    UPDATE imports SET status = 'cancelled', updated_at = ${now}, finished_at = ${now}
    WHERE status IN ('staged', 'validated', 'failed') AND updated_at <= ${now - UNCOMMITTED_RETENTION_MS}
    RETURNING id, project_id`)
  for (const { id, project_id } of cancelled) note(tx, { action: 'imports/cancel', target: `import:${id}`, project_id })
}

const hasEnded = sql`status IN ('completed', 'cancelled')`
const isOver = sql`import_id IN (SELECT id FROM imports WHERE ${hasEnded})`
const MAX_ENDED = 1000
const ENDED_RETENTION_MS = 400 * DAY_MS

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
  refusalRetention,
  {
    rows: 'ended imports',
    kept: '400 days, at most 1,000 of a project',
    batch: 100,
    statement: (now, limit) =>
      deleteWhere(
        'imports',
        'id',
        sql`${hasEnded}
          AND (updated_at <= ${now - ENDED_RETENTION_MS} OR ${surplusOf('imports', hasEnded, MAX_ENDED)})`,
        limit,
      ),
  },
]
