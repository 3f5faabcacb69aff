/** A host name or a host name with a path, as people type it without a scheme. */
const HOST = /^(?:[\w-]+\.)+[\w-]{2,}\.?(?::\d+)?(?:[/?#]\S*)?$/
/** The machine of the browser itself, which has no certificate. */
const OWN = /^(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]\S*)?$/

/** `example.com/x`, as people type it, becomes `https://example.com/x`; any other text stays as it is. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  if (OWN.test(text)) return `http://${text}`
  return HOST.test(text) ? `https://${text}` : text
}
