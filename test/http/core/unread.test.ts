import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { startHttp, type HttpServer } from '../../../src/http/app.ts'
import { createBudgets } from '../../../src/http/core/exchange.ts'
import { createUnread, type Unread, UNREAD_LIMITS } from '../../../src/http/core/unread.ts'
import { createRateLimiter } from '../../../src/operation/rate-limit.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

const LIMITS = { ...UNREAD_LIMITS, address_bytes: 1000, own_bytes: 600, process_bytes: 1500, open_bytes: 10 }

test('Answers that share their content count it once, and each counts until its end.', () => {
  let at = 0
  const unread = createUnread(LIMITS, () => at)
  const page = {}
  const begin = (content: object, bytes = 500, address = '192.0.2.1', always = false) =>
    unread.begin({ address, content, bytes, own: false, always })
  const first = begin(page)
  for (let index = 0; index < 20; index += 1) begin(page).end()
  const second = begin(page)
  expect(() => begin({})).toThrow('wait to be read')
  expect(() => unread.requireRoom('192.0.2.1')).toThrow('wait to be read')
  unread.requireRoom('192.0.2.2')
  // The answer to a change that is made is never refused.
  begin({}, 500, '192.0.2.1', true).end()
  at += LIMITS.pause_ms
  unread.requireRoom('192.0.2.1')
  for (const answer of [first, second, second]) answer.end()
  begin({}, 900)
  // Another address has a budget of its own, within that of the process.
  expect(() => begin({}, 900, '192.0.2.2')).toThrow('wait to be read')
  begin({}, 400, '2001:db8::1')
})

test('Answers that share nothing have a smaller budget within that of their address.', () => {
  const unread = createUnread(LIMITS)
  const begin = (bytes: number, own: boolean) =>
    unread.begin({ address: '192.0.2.1', content: {}, bytes, own, always: false })
  const page = begin(300, false)
  const answer = begin(400, true)
  expect(() => begin(200, true)).toThrow('wait to be read')
  answer.end()
  begin(500, true)
  page.end()
  begin(400, false)
})

test('An answer that is read too slowly is abandoned.', () => {
  let at = 0
  const unread = createUnread(UNREAD_LIMITS, () => at)
  const abandoned: string[] = []
  for (const [name, bytes] of [
    ['slow', 50_000],
    ['steady', 100_000],
  ] as const) {
    const answer = unread.begin({ address: '192.0.2.1', content: {}, bytes: 1_000_000, own: true, always: false })
    answer.whenSlow(() => void abandoned.push(name))
    answer.took(bytes)
  }
  at = UNREAD_LIMITS.grace_ms
  unread.check()
  expect(abandoned).toEqual([])
  at += 1
  unread.check()
  expect(abandoned).toEqual(['slow'])
})

test('While the process has no room, others are answered, and answers that nobody reads end.', () => {
  let at = 0
  const unread = createUnread(LIMITS, () => at)
  const ended: string[] = []
  const begin = (address: string) => {
    const answer = unread.begin({ address, content: {}, bytes: 700, own: false, always: false })
    answer.whenSlow(() => {
      ended.push(address)
      answer.end()
    })
    return answer
  }
  begin('192.0.2.1')
  const read = begin('192.0.2.2')
  expect(() => begin('192.0.2.3')).toThrow('wait to be read')
  // A refusal concerns its address, and a content of which the size is known is refused before it is read.
  expect(() => unread.requireRoom('192.0.2.3')).toThrow('wait to be read')
  unread.requireRoom('192.0.2.4')
  expect(() => unread.requireRoom('192.0.2.4', 700)).toThrow('wait to be read')
  at += LIMITS.stalled_ms + 1
  read.took(100)
  begin('192.0.2.3')
  expect(ended).toEqual(['192.0.2.1'])
})

describe('over sockets', () => {
  let world: SiteWorld
  let server: HttpServer
  const startWith = (unread: Unread): HttpServer => {
    const { runtime } = world.service
    return startHttp(runtime, {
      hostname: '127.0.0.1',
      port: 0,
      limiter: createRateLimiter(runtime.store, () => world.clock.now()),
      readiness: async () => null,
      budgets: createBudgets({ unread }),
    })
  }
  const PAGE = `<!doctype html>\n<title>Tides</title><p>${'High water at noon. '.repeat(220_000)}`
  beforeAll(async () => {
    world = await createSiteWorld()
    for (const path of ['/', '/a', '/b'])
      await world.edit('/project/pages/create', { path, title: 'Tides', html: PAGE + path })
    server = startWith(createUnread({ ...UNREAD_LIMITS, address_bytes: 6_000_000, pause_ms: 0 }))
  })
  afterAll(async () => {
    await server.stop(true)
    await world.close()
  })

  /** Asks for a page and reads the status of the answer only. */
  const ask = (path: string) => send(server.port!, `GET ${path} HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`)

  async function send(port: number, request: string): Promise<{ status: string; socket: Socket }> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(request)
    const first = await new Promise<string>((resolve) =>
      socket.once('data', (data) => {
        socket.pause()
        resolve(data.toString('latin1', 9, 12))
      }),
    )
    return { status: first, socket }
  }

  test('Unread pages of one address are bounded, and one page is shared by all who ask for it.', async () => {
    const open = await Promise.all(Array.from({ length: 40 }, () => ask('/')))
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => '200'))
    const other = await ask('/a')
    expect(other.status).toBe('503')
    for (const { socket } of [...open, other]) socket.destroy()
    // The service sees the end of a connection with the next turns of its loop.
    let after = await ask('/b')
    while (after.status === '503') {
      after.socket.destroy()
      after = await ask('/b')
    }
    expect(after.status).toBe('200')
    after.socket.destroy()
  })

  test('Few exports of a project are open at once, and probes are answered while others are refused.', async () => {
    const own = startWith(createUnread({ ...UNREAD_LIMITS, pause_ms: 60_000 }))
    const get = async (path: string) =>
      send(own.port!, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${await world.cookie('owner')}\r\n\r\n`)
    const open = []
    const exported = `/project/${world.project.public_id}/export`
    for (const path of [exported, exported, exported, '/user/me', '/healthz', '/readyz']) open.push(await get(path))
    expect(open.map(({ status }) => status)).toEqual(['200', '200', '503', '503', '200', '200'])
    for (const { socket } of open) socket.destroy()
    await own.stop(true)
  })

  test.each(['identity', 'gzip'])(
    'Of large reads that arrive together in the encoding %s few hold their text at the same time.',
    async (encoding) => {
      const html = `<p>${'Low water at six. '.repeat(12_000)}`
      const { page } = await world.edit('/project/pages/create', { path: `/${encoding}`, title: 'Low', html })
      const unread = createUnread()
      /** Bytes of the texts that began in this turn of the event loop, and of those that are open. */
      const held = { begun: 0, open: 0, most: 0 }
      const counting: Unread = Object.defineProperty({ ...unread }, 'begun_bytes', { get: () => unread.begun_bytes })
      counting.begin = (given) => {
        if (held.begun === 0) setImmediate(() => void (held.begun = 0))
        held.begun += given.bytes
        held.open += given.bytes
        held.most = Math.max(held.most, encoding === 'gzip' ? held.open : held.begun)
        const answer = unread.begin(given)
        const end = () => {
          held.open -= given.bytes
          answer.end()
        }
        return { ...answer, end }
      }
      const own = startWith(counting)
      const body = JSON.stringify({ project_id: world.project.public_id, page_id: page.id })
      const request =
        `POST /project/pages/get HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${await world.cookie('editor')}\r\n` +
        `Accept-Encoding: ${encoding}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      const open = await Promise.all(Array.from({ length: 40 }, () => send(own.port!, request + body)))
      expect(new Set(open.map(({ status }) => status))).toEqual(new Set(['200']))
      expect(held.most).toBeGreaterThan(html.length)
      expect(held.most).toBeLessThan(20 * html.length)
      for (const { socket } of open) socket.destroy()
      await own.stop(true)
    },
  )

  test('A large page arrives whole in each encoding, and HEAD and the tag are those of GET.', async () => {
    const tags = new Set<string>()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const init = { headers: { Host: DOMAIN, 'Accept-Encoding': encoding } }
      const response = await fetch(`http://127.0.0.1:${server.port}/`, init)
      const tag = response.headers.get('etag')!
      expect(await response.text()).toBe(`${PAGE}/`)
      const head = await fetch(`http://127.0.0.1:${server.port}/`, { ...init, method: 'HEAD' })
      expect([head.headers.get('etag'), head.headers.get('content-encoding'), await head.text()]).toEqual([
        tag,
        encoding === 'identity' ? null : encoding,
        '',
      ])
      tags.add(tag)
    }
    expect(tags.size).toBe(3)
  })
})
