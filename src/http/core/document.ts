/** A response with an ETag; 304 without a body when `If-None-Match` names it (RFC 9110, 13.1.2). */
export function cacheable(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> & { ETag: string },
): Response {
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(headers.ETag) ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
}

/** The ETag of a text that is made while the process runs. */
export function etagOf(text: string): string {
  return `"${Bun.hash(text).toString(36)}"`
}

/** Serves a public JSON document. It is made with the first request and does not change after that. */
export function publicDocument(make: (base_url: string) => unknown) {
  let made: { text: string; ETag: string } | undefined
  return ({ request, base_url }: { request: Request; base_url: string }): Response => {
    if (!made) {
      const text = JSON.stringify(make(base_url))
      made = { text, ETag: etagOf(text) }
    }
    return cacheable(request, made.text, {
      ETag: made.ETag,
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    })
  }
}
