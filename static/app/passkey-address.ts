const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The same page at `localhost`, when it is open at a numeric address of this machine; null otherwise. Browsers make and
 * use passkeys for host names only (WebAuthn, 5.1.3), and the service expects those of this machine at `localhost`.
 */
export function atLocalhost(href: string): string | null {
  const url = new URL(href)
  if (!LOOPBACK.test(url.hostname)) return null
  url.hostname = 'localhost'
  return url.href
}
