import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { startHttp, type HttpServer } from '../../../src/http/app.ts'
import { createBudgets } from '../../../src/http/core/exchange.ts'
import { createUnread, UNREAD_LIMITS } from '../../../src/http/core/unread.ts'
import { createRateLimiter } from '../../../src/operation/rate-limit.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

const LIMITS = { ...UNREAD_LIMITS, address_bytes: 1000, process_bytes: 1500, open_bytes: 10 }

test('Answers that share their content count it once, and each counts until its end.', () => {
  let at = 0
  const unread = createUnread(LIMITS, () => at)
  const page = {}
  const begin = (content: object, bytes = 500, address = '192.0.2.1', always = false) =>
    unread.begin({ address, content, bytes, always })
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

test('An answer that is read too slowly is abandoned.', () => {
  let at = 0
  const unread = createUnread(UNREAD_LIMITS, () => at)
  const abandoned: string[] = []
  for (const [name, bytes] of [
    ['slow', 50_000],
    ['steady', 100_000],
  ] as const) {
    const answer = unread.begin({ address: '192.0.2.1', content: {}, bytes: 1_000_000, always: false })
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

describe('over sockets', () => {
  let world: SiteWorld
  let server: HttpServer
  const PAGE = `<!doctype html>\n<title>Tides</title><p>${'High water at noon. '.repeat(220_000)}`
  beforeAll(async () => {
    world = await createSiteWorld()
    for (const path of ['/', '/a', '/b'])
      await world.edit('/project/pages/create', { path, title: 'Tides', html: PAGE + path })
    const { runtime } = world.service
    server = startHttp(runtime, {
      hostname: '127.0.0.1',
      port: 0,
      limiter: createRateLimiter(runtime.store, () => world.clock.now()),
      readiness: async () => null,
      budgets: createBudgets({ unread: createUnread({ ...UNREAD_LIMITS, address_bytes: 6_000_000, pause_ms: 0 }) }),
    })
  })
  afterAll(async () => {
    await server.stop(true)
    await world.close()
  })

  /** Asks for a page and reads the status of the answer only. */
  async function ask(path: string): Promise<{ status: string; socket: Socket }> {
    const socket = connect(server.port!, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`)
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
