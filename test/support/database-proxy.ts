type Verdict = 'lose' | 'lose answer' | Response | null

/** Stands between a service and its libSQL server, and can lose a request or its answer. */
export interface DatabaseProxy {
  url: string
  /**
   * Called with the text of each request: `lose` closes the connection before the server has it, `lose answer` after;
   * a response is the answer. Null passes it on.
   */
  intercept: ((text: string) => Verdict | Promise<Verdict>) | null
  close(): Promise<void>
}

export function startDatabaseProxy(target: string): DatabaseProxy {
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const text = await request.text()
      const verdict = (await proxy.intercept?.(text)) ?? null
      if (verdict instanceof Response) return verdict
      const lost = new Response(null, { status: 502 })
      if (verdict === 'lose') return lost
      const { pathname } = new URL(request.url)
      const { method } = request
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(target + pathname, { method, headers, ...(text ? { body: text } : {}) })
      const body = await answer.text()
      return verdict === 'lose answer' ? lost : new Response(body, { status: answer.status, headers })
    },
  })
  const proxy: DatabaseProxy = { url: server.url.origin, intercept: null, close: () => server.stop(true) }
  return proxy
}
