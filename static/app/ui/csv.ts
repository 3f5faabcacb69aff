/** A CSV file (RFC 4180) made in the browser. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map((cells) => cells.map(cell).join(',')).join('\r\n')
  return new Blob([text], { type: 'text/csv' })
}

/** A quoted cell. One that a spreadsheet would run as a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** Downloads a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
