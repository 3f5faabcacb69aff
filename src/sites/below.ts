/**
 * Paths of the service itself, which pages name to reach forms, files and letters, and what already leads below a
 * site. `//` begins the address of another host.
 */
const OWN = /^\/(?:\/|(?:sites|general|files|portal)(?:[/?#]|$))/
const ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'poster'] as const
/** Without one of these in it, a page has nothing to change. */
const ANY = /(?:href|src|action|poster|srcset)\s*=/i

/** An address in `srcset`, and its size. Commas inside an address do not end it, as in `data:` addresses. */
const CANDIDATE = /([^\s,]\S*)((?<=,)|[^,]*)/g

/**
 * A page for the address `/sites/:slug`, where a link such as `/about` would lead out of the site. Such links get the
 * prefix; everything else stays byte for byte (docs/api/sites.md#hosted-pages).
 *
 * @param prefix `/sites/:slug`
 */
export function keepBelow(html: string, prefix: string): string {
  if (!ANY.test(html)) return html
  const below = (path: string) => (path.startsWith('/') && !OWN.test(path) ? prefix + path : path)
  const rewriter = new HTMLRewriter()
  for (const name of ATTRIBUTES)
    rewriter.on(`[${name}^="/"]`, {
      element(tag) {
        const path = tag.getAttribute(name)!
        if (below(path) !== path) tag.setAttribute(name, below(path))
      },
    })
  rewriter.on('[srcset*="/"]', {
    element(tag) {
      const set = tag.getAttribute('srcset')!
      const changed = set.replace(CANDIDATE, (_, path, rest) => below(path) + rest)
      if (changed !== set) tag.setAttribute('srcset', changed)
    },
  })
  return rewriter.transform(html)
}
