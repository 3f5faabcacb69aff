/** Services that put an address of their own before the one that was copied, with the parameter that holds it. */
const REDIRECTS: readonly { host: RegExp; path: RegExp; names: readonly string[] }[] = [
  { host: /^(?:www\.)?google\.[a-z.]{2,6}$/, path: /^\/url$/, names: ['q', 'url'] },
  { host: /^lm?\.facebook\.com$/, path: /^\/l\.php$/, names: ['u'] },
  { host: /\.safelinks\.protection\.outlook\.com$/, path: /^\//, names: ['url'] },
]

/** The address that a redirect of Google, Facebook or Outlook leads to; any other address as it is. */
export function withoutRedirect(address: string): string {
  const url = URL.parse(address)
  const found = url && REDIRECTS.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname))
  if (!found) return address
  const target = found.names.map((name) => url.searchParams.get(name)).find((value) => value !== null)
  return target !== undefined && /^https?:\/\//i.test(target!) ? target! : address
}
