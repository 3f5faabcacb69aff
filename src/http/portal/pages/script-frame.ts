/**
 * Runs the code in the frame's address, and reports its console output and network requests to the parent page. Without
 * a parent page it does nothing. The code can evade it, so the report proves nothing.
 */
export const SCRIPT_FRAME = `<script>
if (parent !== self) {
  const tell = (kind, text) => parent.postMessage({ kind, text: String(text).slice(0, 1000) }, '*')
  const word = (value) => {
    try {
      return typeof value === 'object' && !(value instanceof Error) ? JSON.stringify(value) : String(value)
    } catch {
      return String(value)
    }
  }
  for (const level of ['log', 'info', 'warn', 'error'])
    console[level] = (...words) => tell(level, words.map(word).join(' '))
  addEventListener('error', ({ message }) => message && tell('error', message))
  addEventListener('unhandledrejection', ({ reason }) => tell('error', reason))
  addEventListener('securitypolicyviolation', ({ blockedURI }) => tell('blocked', blockedURI))
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) tell('request', name)
  }).observe({ type: 'resource', buffered: true })
  document.write(decodeURIComponent(location.hash.slice(1)))
}
</script>`
