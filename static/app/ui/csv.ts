import { csvLine } from '../../../src/shared/csv.ts'

/** A CSV file (RFC 4180) made in the browser. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  return new Blob([rows.map(csvLine).join('')], { type: 'text/csv' })
}

/** Downloads a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
