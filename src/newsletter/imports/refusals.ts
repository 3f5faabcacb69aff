import { sql } from 'drizzle-orm'
import { isEmail } from '../../address.ts'
import { DAY_MS } from '../../clock.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { one } from '../../store/rows.ts'
import { import_refusals, type ImportRowError } from '../../store/tables/imports.ts'

/** Every row error of an import (docs/api/imports.md#row-errors), stored in pages for a download (refused-file.ts). */

/** A row error without the names of its properties. */
export type PackedError = [
  row: number,
  field: string | null,
  code: ImportRowError['code'],
  message: string,
  value: string | null,
]

/** The most characters that are stored of one import: about 300,000 errors. */
const MAX_LENGTH = 32 * 1024 * 1024

/** The row errors of a reading, as they are to be stored, page by page. */
export interface RefusalPages {
  /** Adds errors to the page; answers their length in characters. */
  add(errors: readonly ImportRowError[]): number
  /** The page as JSON, null without errors. A new page begins. */
  take(): string | null
}

/** @param stored the length of the errors of the import that are stored already */
export function refusalPages(stored = 0): RefusalPages {
  let page: string[] = []
  return {
    add(errors) {
      let length = 0
      for (const error of errors) {
        const packed = pack(error)
        if (stored + packed.length > MAX_LENGTH) break
        stored += packed.length
        length += packed.length
        page.push(packed)
      }
      return length
    },
    take() {
      const taken = page.length === 0 ? null : `[${page.join(',')}]`
      page = []
      return taken
    },
  }
}

/** An address is left out: the one of a contact who is deleted must not stay here. */
function pack({ row, field, code, message, value }: ImportRowError): string {
  const packed: PackedError = [row, field, code, message, value !== null && isEmail(value) ? null : value]
  return jsonText(packed)
}

export async function storeRefusals(tx: Tx, import_id: number, errors: string | null): Promise<void> {
  if (errors !== null) await tx.insert(import_refusals).values({ import_id, errors })
}

/** Stores errors that were found after the dry-run, as far as there is room. */
export async function addRefusals(tx: Tx, import_id: number, errors: readonly ImportRowError[]): Promise<void> {
  if (errors.length === 0) return
  const { stored } = one(
    await tx.all<{ stored: number }>(sql`
      SELECT coalesce(sum(octet_length(errors)), 0) AS stored FROM import_refusals WHERE import_id = ${import_id}`),
  )
  const pages = refusalPages(stored)
  pages.add(errors)
  await storeRefusals(tx, import_id, pages.take())
}

export async function dropRefusals(tx: Tx, import_id: number): Promise<void> {
  await tx.run(sql`DELETE FROM import_refusals WHERE import_id = ${import_id}`)
}

const KEPT_MS = 7 * DAY_MS

export const refusalRetention: RetentionRule = {
  rows: 'reasons for rows that were not imported',
  kept: '7 days after the import ended; the first 100 of them as long as the import',
  batch: 100,
  statement: (now, limit) =>
    deleteWhere(
      'import_refusals',
      'id',
      sql`import_id IN (
        SELECT id FROM imports WHERE status IN ('completed', 'cancelled') AND updated_at <= ${now - KEPT_MS})`,
      limit,
    ),
}
