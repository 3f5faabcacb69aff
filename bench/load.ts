import type { Socket } from 'bun'

/**
 * A load generator in a process of its own: `bun bench/load.ts` reads a plan from standard input, makes a fixed number
 * of requests over connections that stay open, looks at each answer, and prints what it measured. It writes and reads
 * HTTP/1.1 itself: with `fetch` it would take more of the two processors than the servers do.
 */
export interface Plan {
  url: string
  method: 'GET' | 'POST'
  /** With placeholders, as the body: {n} is a number that grows with each request, {value} one of `values`. */
  path: string
  headers: Record<string, string>
  body?: string
  /** The numbers go from `first` through `span` numbers and begin again; without a span they never do. */
  first?: number
  span?: number
  values?: readonly string[]
  /** The answer's property that is {value} of the connection's next request. */
  chain?: string
  requests: number
  connections: number
  /** What each answer holds. */
  expect: string
  /** Requests a second, for a load beside another one; without it as many as there are answers. */
  per_second?: number
}

export interface Load {
  requests: number
  seconds: number
  p50_ms: number
  p99_ms: number
  slowest_ms: number
}

interface Lane {
  socket: Socket<undefined>
  kept: Buffer | null
  sent_at: number
  value: string | undefined
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

const NOTHING: Load = { requests: 0, seconds: 0, p50_ms: 0, p99_ms: 0, slowest_ms: 0 }

/** Makes the requests of a plan in another process. Aborted, it answers nothing measured. */
export async function load(plan: Plan, signal?: AbortSignal): Promise<Load> {
  const streams = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
  const child = Bun.spawn([process.execPath, import.meta.path], { ...streams, signal })
  child.stdin.write(JSON.stringify(plan))
  await child.stdin.end()
  const [text, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  if (signal?.aborted) return NOTHING
  if (code !== 0) throw new Error(complaint.trim())
  return JSON.parse(text) as Load
}

async function makeRequests(plan: Plan): Promise<Load> {
  const { hostname, port } = new URL(plan.url)
  const pairs = Object.entries({ Host: `${hostname}:${port}`, ...plan.headers })
  const headers = pairs.map((pair) => pair.join(': ')).join('\r\n')
  const { first = 0, span = Number.MAX_SAFE_INTEGER, values = [], expect } = plan
  const times = new Float64Array(plan.requests)
  const waiting: Lane[] = []
  let made = 0
  let taken = 0
  const finished = Promise.withResolvers<void>()

  function send(lane: Lane): void {
    const n = String(first + (made % span))
    const value = lane.value ?? values[made % values.length] ?? ''
    const filled = (text: string) => text.replaceAll('{n}', n).replaceAll('{value}', value)
    const body = plan.body === undefined ? '' : filled(plan.body)
    const length = plan.body === undefined ? '' : `\r\nContent-Length: ${Buffer.byteLength(body)}`
    const first_line = `${plan.method} ${filled(plan.path)} HTTP/1.1\r\n`
    const text = `${first_line}${filled(headers)}${length}${HEAD_END}${body}`
    made++
    lane.sent_at = performance.now()
    lane.socket.write(text)
  }
  function next(lane: Lane): void {
    if (plan.per_second !== undefined) waiting.push(lane)
    else if (made < plan.requests) send(lane)
  }
  function receive(lane: Lane, chunk: Buffer): void {
    const answer = lane.kept ? Buffer.concat([lane.kept, chunk]) : chunk
    lane.kept = answer
    const head_end = answer.indexOf(HEAD_END)
    if (head_end < 0) return
    const head = answer.toString('latin1', 0, head_end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isWhole =
      length === undefined
        ? answer.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK))
        : answer.length >= head_end + HEAD_END.length + Number(length)
    if (!isWhole) return
    times[taken++] = performance.now() - lane.sent_at
    if (!head.startsWith('HTTP/1.1 200') || !answer.includes(expect, head_end))
      finished.reject(new Error(`An answer lacks ${expect}:\n${answer.toString('utf8').slice(0, 2_000)}`))
    if (plan.chain !== undefined) {
      const text = answer.toString('latin1', head_end)
      lane.value = new RegExp(`"${plan.chain}":"([^"]+)"`).exec(text)?.[1]
    }
    lane.kept = null
    if (taken === plan.requests) finished.resolve()
    else next(lane)
  }

  const lanes = await Promise.all(
    Array.from({ length: plan.connections }, async (_, index): Promise<Lane> => {
      const lane: Partial<Lane> = { kept: null, sent_at: 0 }
      if (plan.chain !== undefined) lane.value = values[index]
      lane.socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data: (_socket, chunk) => receive(lane as Lane, chunk),
          close() {
            if (taken < plan.requests) finished.reject(new Error('The server closed a connection.'))
          },
          error: (_socket, error) => finished.reject(error),
        },
      })
      return lane as Lane
    }),
  )
  const begun = performance.now()
  for (const lane of lanes) next(lane)
  const pace = setInterval(() => {
    const due = Math.min(plan.requests, ((performance.now() - begun) / 1000) * (plan.per_second ?? 0))
    while (made < due && waiting.length > 0) send(waiting.shift()!)
  }, 5)
  await finished.promise
  const seconds = (performance.now() - begun) / 1000
  clearInterval(pace)
  for (const { socket } of lanes) socket.end()
  times.sort()
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!
  return { requests: plan.requests, seconds, p50_ms: at(0.5), p99_ms: at(0.99), slowest_ms: at(1) }
}

if (import.meta.main) {
  const result = await makeRequests((await Bun.stdin.json()) as Plan).catch((error: Error) => error)
  if (result instanceof Error) {
    process.stderr.write(`${result.message}\n`)
    process.exit(1)
  }
  process.stdout.write(JSON.stringify(result))
  process.exit(0)
}
