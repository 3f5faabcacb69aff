type Verdict = 'lose' | 'lose answer' | Response | null

/** Stands between a service and its libSQL server, and can lose a request or its answer. */
export interface DatabaseProxy {
  url: string
  /**
   * Called with each request, a character for each byte: `lose` closes the connection before the server has it, `lose
   * answer` after; a response is the answer. Null passes it on.
   */
  intercept: ((text: string) => Verdict | Promise<Verdict>) | null
  close(): Promise<void>
}

/** The name of the stream that a request uses, its first field; null for one that opens a stream. */
export function streamOf(request: string): string | null {
  return request[0] === '\n' ? request.slice(2, 2 + request.charCodeAt(1)) : null
}

export function startDatabaseProxy(target: string): DatabaseProxy {
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const sent = await request.bytes()
      const verdict = (await proxy.intercept?.(Buffer.from(sent).toString('latin1'))) ?? null
      if (verdict instanceof Response) return verdict
      const lost = new Response(null, { status: 502 })
      if (verdict === 'lose') return lost
      const { pathname } = new URL(request.url)
      const { method } = request
      const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
      const answer = await fetch(target + pathname, { method, headers, ...(sent.length > 0 ? { body: sent } : {}) })
      const [body, type] = [await answer.bytes(), answer.headers.get('content-type') ?? '']
      return verdict === 'lose answer'
        ? lost
        : new Response(body, { status: answer.status, headers: { 'Content-Type': type } })
    },
  })
  const proxy: DatabaseProxy = { url: server.url.origin, intercept: null, close: () => server.stop(true) }
  return proxy
}
