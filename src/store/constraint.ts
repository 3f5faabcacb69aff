/** What the database said, read out of the errors of both drivers (local file, libSQL server). */

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

/** Whether another writer was in the way and the same work may succeed when tried again. */
export function isBusy(error: unknown): boolean {
  return chain(error).some((link) => {
    const words = `${String(link.code ?? '')} ${String(link.extendedCode ?? '')} ${String(link.message ?? '')}`
    return /SQLITE_BUSY|SQLITE_LOCKED|TRANSACTION_TIMEOUT|STREAM_EXPIRED|database is locked/.test(words)
  })
}

function chain(error: unknown): DriverError[] {
  const links: DriverError[] = []
  for (
    let link = error as DriverError | undefined;
    link && typeof link === 'object' && links.length < 5;
    link = link.cause as DriverError | undefined
  )
    links.push(link)
  return links
}
