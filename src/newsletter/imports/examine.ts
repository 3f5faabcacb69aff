import { setImmediate } from 'node:timers/promises'
import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { Delimiter, DryRunSummary, ImportRowError } from '../../store/tables/imports.ts'
import { type CsvRecord, csvReader } from './csv.ts'
import type { Target } from './mapping.ts'
import { MAX_ROW_ERRORS, readRow, type RowPerson } from './rows.ts'
import type { Page } from './storage.ts'
import { one } from '../../store/rows.ts'
import { emailKey } from '../../schema.ts'

/** How to read a file. */
export interface Reading {
  project_id: ProjectId
  delimiter: Delimiter
  has_header: boolean
  /** Number of columns. */
  columns: number
  targets: Target[]
}

export interface Examination {
  summary: DryRunSummary
  /** The first 100. */
  row_errors: ImportRowError[]
}

/** Limits of a page: what one step of the job saves. */
const PAGE_PEOPLE = 1000
const PAGE_LENGTH = 512 * 1024

/** Reads a whole file: checks and counts every row, and yields the people in pages, each address once. */
export async function examine(
  db: Reader,
  text: AsyncIterable<string>,
  reading: Reading,
  keep: (page: Page) => Promise<void> | void,
): Promise<Examination> {
  const reader = csvReader(reading.delimiter)
  const seen = new Set<string>()
  const row_errors: ImportRowError[] = []
  const summary: DryRunSummary = {
    rows: 0,
    valid: 0,
    invalid: 0,
    new: 0,
    existing: 0,
    suppressed: 0,
    duplicates_in_file: 0,
  }
  let page = emptyPage()
  let headerIsDue = reading.has_header

  const close = async (): Promise<void> => {
    if (page.rows === 0) return
    const { existing, suppressed } = await knownAmong(db, reading.project_id, page.keys)
    summary.rows += page.rows
    summary.invalid += page.failed
    summary.valid += page.rows - page.failed
    summary.duplicates_in_file += page.duplicates
    summary.existing += existing
    summary.new += page.people.length - existing
    summary.suppressed += suppressed
    await keep({
      last_row: page.last_row,
      rows: page.rows,
      failed: page.failed,
      duplicates: page.duplicates,
      people: `[${page.people.join(',')}]`,
    })
    page = emptyPage()
  }

  const take = (record: CsvRecord): void => {
    page.rows += 1
    page.last_row = record.number
    const read = readRow(record, reading.columns, reading.targets)
    if (!isPerson(read)) {
      page.failed += 1
      if (row_errors.length < MAX_ROW_ERRORS) row_errors.push(...read.slice(0, MAX_ROW_ERRORS - row_errors.length))
      return
    }
    const key = emailKey(read[1])
    if (seen.has(key)) {
      page.duplicates += 1
      return
    }
    seen.add(key)
    page.keys.push(key)
    const packed = jsonText(read)
    page.people.push(packed)
    page.length += packed.length
  }

  const takeAll = async (records: readonly CsvRecord[]): Promise<void> => {
    for (const record of records) {
      if (headerIsDue && !record.flaw) headerIsDue = false
      else take(record)
      if (page.rows < PAGE_PEOPLE && page.length < PAGE_LENGTH) continue
      await close()
      // Let other work of this thread run.
      await setImmediate()
    }
  }

  for await (const piece of text) await takeAll(reader.push(piece))
  await takeAll(reader.end())
  await close()
  return { summary, row_errors }
}

interface OpenPage {
  last_row: number
  rows: number
  failed: number
  duplicates: number
  keys: string[]
  people: string[]
  length: number
}

function emptyPage(): OpenPage {
  return { last_row: 0, rows: 0, failed: 0, duplicates: 0, keys: [], people: [], length: 0 }
}

function isPerson(read: RowPerson | ImportRowError[]): read is RowPerson {
  return typeof read[0] === 'number'
}

/** How many of the addresses belong to contacts, and how many are suppressed. */
async function knownAmong(
  db: Reader,
  project_id: ProjectId,
  keys: readonly string[],
): Promise<{ existing: number; suppressed: number }> {
  const list = jsonText(keys)
  const found = await db.all<{ existing: number; suppressed: number }>(sql`
    SELECT
      (SELECT count(*) FROM json_each(${list}) address
        CROSS JOIN contacts contact
          ON contact.project_id = ${project_id} AND contact.email_key = address.value) AS existing,
      (SELECT count(*) FROM json_each(${list}) address
        CROSS JOIN suppressions suppression
          ON suppression.project_id = ${project_id} AND suppression.email_key = address.value) AS suppressed`)
  return one(found)
}
