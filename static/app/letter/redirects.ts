/** Services that put an address of their own before the one that was copied, with the parameter that holds it. */
const REDIRECTS: readonly { host: RegExp; path: RegExp; names: readonly string[] }[] = [
  { host: /^(?:www\.)?google\.[a-z.]{2,6}$/, path: /^\/url$/, names: ['q', 'url'] },
  { host: /^lm?\.(?:facebook|instagram)\.com$/, path: /^\/(?:l\.php)?$/, names: ['u'] },
  { host: /\.safelinks\.protection\.outlook\.com$/, path: /^\//, names: ['url'] },
  { host: /^(?:www\.)?youtube\.com$/, path: /^\/redirect$/, names: ['q'] },
  { host: /^(?:www\.)?linkedin\.com$/, path: /^\/(?:redir\/redirect|safety\/go)\/?$/, names: ['url'] },
  { host: /^out\.reddit\.com$/, path: /^\//, names: ['url'] },
  { host: /^slack-redir\.net$/, path: /^\/link$/, names: ['url'] },
  { host: /^(?:www\.)?duckduckgo\.com$/, path: /^\/l\/$/, names: ['uddg'] },
]
/** Redirects follow each other where a message was sent on; more are somebody's trap. */
const MAX_REDIRECTS = 4

/** The address that redirects of such services lead to; any other address as it is. */
export function withoutRedirect(address: string): string {
  let last = address
  for (let step = 0; step < MAX_REDIRECTS; step++) {
    const next = targetOf(last)
    if (next === null) break
    last = next
  }
  return last
}

function targetOf(address: string): string | null {
  const url = URL.parse(address)
  const found = url && REDIRECTS.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname))
  if (!found) return null
  const target = found.names.map((name) => url.searchParams.get(name)).find((value) => value !== null)
  return target && /^https?:\/\//i.test(target) ? target : null
}
