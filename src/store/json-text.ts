/**
 * A value as JSON for SQLite's JSON functions. Half of a surrogate pair, as where an emoji was cut in two, becomes
 * U+FFFD, as the driver makes of it everywhere else: what SQLite makes of its escape is no UTF-8, and whoever reads
 * that ends the process.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON.stringify escapes a surrogate only when it stands alone; an even number of backslashes before it are text.
  return text.includes('\\ud') ? text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\\ufffd') : text
}
