import { conflict } from '../errors.ts'

/** Reads the database's errors, which both drivers (local file, libSQL server) wrap differently. */

interface DriverError {
  code?: unknown
  extendedCode?: unknown
  message?: unknown
  cause?: unknown
}

/** The columns of the UNIQUE constraint that a write broke ("lists.project_id, lists.name_key"), or null. */
export function brokenUnique(error: unknown): string | null {
  for (const link of chain(error)) {
    const found = /UNIQUE constraint failed: (.+)$/m.exec(String(link.message ?? ''))
    if (found) return found[1]!.trim()
  }
  return null
}

/**
 * Waits for a write. When it breaks a UNIQUE constraint over one of `columns` (column name → JSON pointer of the
 * property that is already in use), throws CONFLICT with `message`; other errors pass.
 */
export async function orConflict<T>(
  write: PromiseLike<T>,
  columns: Readonly<Record<string, string>>,
  message: string,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    const broken =
      brokenUnique(error)
        ?.split(', ')
        .map((column) => column.slice(column.lastIndexOf('.') + 1)) ?? []
    const found = Object.entries(columns).find(([column]) => broken.includes(column))
    throw found ? conflict(found[1], message, error) : error
  }
}

/** Whether another writer held the lock, so that the same work may succeed when retried. */
export function isBusy(error: unknown): boolean {
  return chain(error).some((link) => {
    const words = `${String(link.code ?? '')} ${String(link.extendedCode ?? '')} ${String(link.message ?? '')}`
    return /SQLITE_BUSY|SQLITE_LOCKED|TRANSACTION_TIMEOUT|STREAM_EXPIRED|database is locked/.test(words)
  })
}

/** An error and its causes. */
export function chain(error: unknown): DriverError[] {
  const links: DriverError[] = []
  for (
    let link = error as DriverError | undefined;
    link && typeof link === 'object' && links.length < 5;
    link = link.cause as DriverError | undefined
  )
    links.push(link)
  return links
}
