/**
 * A value as JSON for SQLite's JSON functions. A lone surrogate (an emoji that was cut in two) becomes U+FFFD, as it
 * does in every other parameter. SQLite would turn its escape into invalid UTF-8, and reading that ends the process.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON.stringify escapes only lone surrogates. An even number of backslashes before the escape is text.
  return text.includes('\\ud') ? text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\\ufffd') : text
}
