import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppError } from '../../../src/errors.ts'
import { type HttpServer, startHttp } from '../../../src/http/app.ts'
import { createBudgets } from '../../../src/http/core/exchange.ts'
import { createUploads, UPLOAD_LIMITS, type UploadLimits } from '../../../src/http/core/uploads.ts'
import { createRateLimiter } from '../../../src/operation/rate-limit.ts'
import { startServiceProcess } from '../../support/service-process.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Unfinished bodies (docs/api/limits.md#unfinished-bodies). */

const share = { process_bytes: 100, address_bytes: 60, address_slow: 2, bytes_per_second: 10, stalled_ms: 3_000 }
const limits: UploadLimits = {
  check_ms: 3_600_000,
  grace_ms: 1_000,
  idle_seconds: 30,
  anonymous: { ...share, longest_ms: 20_000 },
  known: { ...share, address_slow: 9, bytes_per_second: 0, longest_ms: 60_000 },
}

function desk() {
  let at = 0
  const uploads = createUploads(limits, () => at)
  const begin = (address = '192.0.2.1', sender: 'anonymous' | 'known' = 'anonymous') => {
    const seen = { timeouts: [] as number[], refused: [] as string[], errors: [] as AppError[] }
    const upload = uploads.begin({
      address,
      sender,
      setTimeout: (seconds) => void seen.timeouts.push(seconds),
      refuse: (error) => {
        seen.refused.push(error.code)
        seen.errors.push(error)
      },
    })
    return { ...upload, ...seen }
  }
  const pass = (ms: number) => {
    at += ms
    uploads.check()
  }
  return { begin, pass }
}

test('The budgets limit the bytes of an address and of the process, by kind of caller, until a body ends.', () => {
  const { begin } = desk()
  const first = begin()
  first.add(60)
  expect(() => begin().add(1)).toThrow(expect.objectContaining({ code: 'TOO_MANY_UPLOADS', status: 503 }))
  begin('192.0.2.2').add(39)
  expect(() => begin('192.0.2.3').add(1)).toThrow()
  begin('192.0.2.3', 'known').add(60)
  first.end()
  first.end()
  begin('192.0.2.3').add(58)
  expect(() => begin('192.0.2.3').add(2)).toThrow()
})

test('The budgets count an IPv6 address by its half.', () => {
  const { begin } = desk()
  begin('2001:db8::1').add(60)
  expect(() => begin('2001:db8::2').add(1)).toThrow()
})

test('The budgets end the slow bodies above the number of an address, and no quick ones.', () => {
  const { begin, pass } = desk()
  const bodies = Array.from({ length: 4 }, () => begin())
  for (const body of bodies) body.add(15)
  pass(900)
  expect(bodies.flatMap(({ refused }) => refused)).toEqual([])
  const known = begin('192.0.2.1', 'known')
  pass(200)
  expect(bodies.map(({ refused }) => refused)).toEqual([[], [], ['REQUEST_TIMEOUT'], ['REQUEST_TIMEOUT']])
  expect([bodies[0]!.timeouts, bodies[2]!.timeouts, known.refused]).toEqual([[0], [], []])
  bodies[0]!.end()
  expect(bodies[0]!.timeouts).toEqual([0, 30])
})

test('The budgets leave a slow body alone while it goes on, and a quick one until its grace time is over.', () => {
  const { begin, pass } = desk()
  const steady = [begin(), begin()]
  for (let second = 0; second < 2; second++) {
    for (const body of steady) body.add(11)
    pass(1_001)
  }
  expect(steady.map(({ refused, timeouts }) => [refused, timeouts])).toEqual([
    [[], [0]],
    [[], [0]],
  ])
  const quiet = begin('192.0.2.2')
  pass(1_000)
  expect(quiet.refused).toEqual([])
  pass(1)
  expect(quiet.refused).toEqual(['REQUEST_TIMEOUT'])
})

test('A refusal of a body ends its connection, and one for lack of room says when to come again.', () => {
  const { begin, pass } = desk()
  const crowded = (() => {
    try {
      return begin().add(61)
    } catch (error) {
      return error
    }
  })()
  expect(crowded).toMatchObject({ headers: { Connection: 'close', 'Retry-After': '5' } })
  const stalled = begin('192.0.2.9', 'known')
  pass(3_001)
  expect(stalled.errors).toMatchObject([{ code: 'REQUEST_TIMEOUT', status: 408, headers: { Connection: 'close' } }])
})

test('The budgets end a body that stalls, and an anonymous one below the least rate.', () => {
  const { begin, pass } = desk()
  const trickling = [begin(), begin('192.0.2.1', 'known')]
  const stalled = begin('192.0.2.1', 'known')
  for (let second = 0; second < 4; second++) {
    for (const body of trickling) body.add(1)
    pass(1_000)
  }
  expect(trickling.map(({ refused }) => refused)).toEqual([['REQUEST_TIMEOUT'], []])
  expect(stalled.refused).toEqual(['REQUEST_TIMEOUT'])
})

test('The budgets end every body after the longest time.', () => {
  const { begin, pass } = desk()
  const body = begin('192.0.2.1', 'known')
  for (let time = 0; time < 60; time++) {
    body.add(1)
    pass(1_000)
  }
  expect(body.refused).toEqual([])
  body.add(0)
  pass(1_000)
  expect(body.refused).toEqual(['REQUEST_TIMEOUT'])
})

/** A client that sends what it is told and collects the answer. */
function client(port: number, head: string): { socket: Socket; answer: Promise<string> } {
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  let text = ''
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (data) => (text += data.toString()))
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(text))
  socket.write(head)
  return { socket, answer }
}

const headOf = (path: string, length: number, more = '') =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    more,
  ].join('\r\n') + '\r\n'

describe('over sockets', () => {
  // Bun looks at idle connections every four seconds: this ends one after four to eight. A shorter time could end one
  // before the grace time of its body is over.
  const idle_seconds = 5
  let world: World
  let server: HttpServer
  let port: number
  beforeAll(async () => {
    world = await createWorld()
    const { runtime } = world.service
    const uploads = createUploads({
      check_ms: 50,
      grace_ms: 200,
      idle_seconds,
      anonymous: { ...UPLOAD_LIMITS.anonymous, stalled_ms: 1_000 },
      known: { ...UPLOAD_LIMITS.known, stalled_ms: 1_000 },
    })
    const limiter = createRateLimiter(runtime.store, () => world.clock.now())
    const readiness = async () => null
    server = startHttp(runtime, {
      hostname: '127.0.0.1',
      port: 0,
      limiter,
      readiness,
      budgets: createBudgets({ uploads }),
    })
    port = server.port!
  })
  afterAll(async () => {
    await server.stop(true)
    await world.close()
  })

  // Waits: Bun looks at idle connections by its own clock.
  test('An upload with credentials may take longer than the idle timeout while it makes progress.', async () => {
    const body = JSON.stringify({ csv: `email\n${'a@example.com\n'.repeat(6_000)}`, filename: 'slow.csv' })
    const more = `Authorization: ${world.keys.owner}\r\nIdempotency-Key: slow\r\nConnection: close\r\n`
    const { socket, answer } = client(port, headOf('/general/api/v1/newsletter/imports/create', body.length, more))
    const began = performance.now()
    const seconds = 9
    const pieces = seconds * 4
    for (let piece = 0; piece < pieces; piece++) {
      socket.write(body.slice((body.length * piece) / pieces, (body.length * (piece + 1)) / pieces))
      await Bun.sleep(250) // The pace of the client is what is tested.
    }
    expect(performance.now() - began).toBeGreaterThan(seconds * 1000)
    expect(await answer).toStartWith('HTTP/1.1 200')
  })

  test('A body that stalls is a 408, with credentials and without, and its connection ends.', async () => {
    const known = client(
      port,
      `${headOf('/general/api/v1/newsletter/lists/list', 1000, `Authorization: ${world.keys.owner}\r\n`)}{"limit"`,
    )
    const anonymous = client(port, `${headOf('/user/login', 1000)}{"email"`)
    const [first, second] = await Promise.all([known.answer, anonymous.answer])
    for (const answer of [first, second]) {
      expect(answer).toStartWith('HTTP/1.1 408')
      expect(answer).toMatch(/^connection: close/im)
    }
    expect(first).toContain('"code":"REQUEST_TIMEOUT"')
    expect(second).toContain('"error":"invalid_request"')
  })

  test('A caller without credentials is refused before its body has arrived.', async () => {
    const { socket, answer } = client(port, headOf('/general/api/v1/newsletter/imports/create', 30_000_000))
    const first = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    expect(first).toStartWith('HTTP/1.1 401')
    socket.destroy()
    await answer
  })
})

test('A hundred open uploads of anonymous callers add at most 50 MB to the memory of the process.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-uploads-'))
  const service = await startServiceProcess(folder, { MASTHEAD_METRICS_TOKEN: 'reader' })
  const port = Number(new URL(service.url).port)
  try {
    const memory = async () => {
      const headers = { Authorization: 'Bearer reader' }
      const text = await (await fetch(`${service.url}/metrics`, { headers })).text()
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1])
    }
    await memory()
    const before = await memory()
    // Half of them to a route that refuses the caller at once, half to one that reads a body without credentials.
    const clients = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0
        ? client(port, headOf('/general/api/v1/newsletter/imports/create', 30_000_000))
        : client(port, headOf('/user/login', 1_000_000)),
    )
    const piece = Buffer.alloc(900_000, 'x')
    for (const [index, { socket }] of clients.entries()) {
      for (let times = index % 2 === 0 ? 10 : 1; times > 0; times--) socket.write(piece)
    }
    // The service has read what it is going to read when every client was answered or sent its part.
    await Promise.all(
      clients.map(
        ({ socket, answer }) =>
          new Promise<void>((resolve) => {
            void answer.then(() => resolve())
            if (socket.writableLength === 0) resolve()
            else socket.once('drain', resolve)
          }),
      ),
    )
    const added = (await memory()) - before
    for (const { socket } of clients) socket.destroy()
    expect(added).toBeLessThan(50_000_000)
  } finally {
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})
