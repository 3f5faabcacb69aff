import { json } from './exchange.ts'

/** Serves a public JSON document with an ETag. It is made with the first request and does not change after that. */
export function publicDocument(make: (base_url: string) => unknown) {
  let made: { text: string; etag: string } | undefined
  return ({ request, base_url }: { request: Request; base_url: string }): Response => {
    if (!made) {
      const text = JSON.stringify(make(base_url))
      made = { text, etag: `"${Bun.hash(text).toString(36)}"` }
    }
    const headers = { ETag: made.etag, 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }
    return request.headers.get('if-none-match') === made.etag
      ? new Response(null, { status: 304, headers })
      : json(200, made.text, headers)
  }
}
