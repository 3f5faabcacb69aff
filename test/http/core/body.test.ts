import { expect, test } from 'bun:test'
import { isJson, MAX_FIELDS, readBytes, readForm, requireJson, requireLength } from '../../../src/http/core/body.ts'
import { createUploads, UPLOAD_LIMITS } from '../../../src/http/core/uploads.ts'

test('A length that is announced twice does not disable the budgets of unfinished bodies.', async () => {
  const uploads = createUploads({
    ...UPLOAD_LIMITS,
    anonymous: { ...UPLOAD_LIMITS.anonymous, process_bytes: 10, address_bytes: 10 },
  })
  const sending = (body: string, length: string) => ({
    request: new Request('http://localhost/', { method: 'POST', body, headers: { 'Content-Length': length } }),
    address: '192.0.2.1',
    server: null,
    uploads,
  })
  // Bun joins two equal Content-Length headers into one value.
  expect(await readBytes(sending('12345', '5, 5'), 100)).toHaveLength(5)
  await expect(readBytes(sending('12345678901', '11'), 100)).rejects.toMatchObject({ code: 'TOO_MANY_UPLOADS' })
})

test.each([true, false])('A body may have exactly the allowed size, announced: %p.', async (announced) => {
  const read = (max: number) => {
    const body = announced ? '12345' : new Response('12345').body!
    const headers: Record<string, string> = announced ? { 'Content-Length': '5' } : {}
    const request = new Request('http://localhost/', { method: 'POST', body, headers })
    return readBytes({ request, address: '192.0.2.1', server: null, uploads: createUploads() }, max)
  }
  expect(await read(5)).toHaveLength(5)
  expect(await read(4).catch((error: unknown) => error)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('The pieces of a body whose length is not announced count towards the budgets, and end with it.', async () => {
  const uploads = createUploads({
    ...UPLOAD_LIMITS,
    anonymous: { ...UPLOAD_LIMITS.anonymous, process_bytes: 10, address_bytes: 10 },
  })
  const read = (bytes: number) => {
    const body = new Response('x'.repeat(bytes)).body!
    const request = new Request('http://localhost/', { method: 'POST', body })
    return readBytes({ request, address: '192.0.2.1', server: null, uploads }, 100)
  }
  for (let count = 0; count < 3; count++) expect(await read(10)).toHaveLength(10)
  await expect(read(11)).rejects.toMatchObject({ code: 'TOO_MANY_UPLOADS' })
  expect(await read(10)).toHaveLength(10)
})

test('A body that is refused is not read any further, and one that breaks off is a timeout.', async () => {
  let cancelled = false
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(8)),
    cancel: () => void (cancelled = true),
  })
  const sending = (body: ReadableStream) => ({
    request: new Request('http://localhost/', { method: 'POST', body }),
    address: '192.0.2.1',
    server: null,
    uploads: createUploads(),
  })
  await expect(readBytes(sending(endless), 20)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  expect(cancelled).toBe(true)
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new Error('reset')),
  })
  await expect(readBytes(sending(broken), 20)).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
  const none = new Request('http://localhost/', { method: 'POST' })
  expect(await readBytes({ ...sending(new ReadableStream()), request: none }, 20)).toHaveLength(0)
})

test.each([true, false])('A body that stalls is refused while it is read, announced: %p.', async (announced) => {
  let at = 0
  const uploads = createUploads(UPLOAD_LIMITS, () => at)
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) })
  const headers: Record<string, string> = announced ? { 'Content-Length': '5' } : {}
  const request = new Request('http://localhost/', { method: 'POST', body, headers })
  const reading = readBytes({ request, address: '192.0.2.1', server: null, uploads }, 9).catch(
    (error: unknown) => error,
  )
  await new Promise(setImmediate)
  at = UPLOAD_LIMITS.anonymous.stalled_ms + 1
  uploads.check()
  expect(await reading).toMatchObject({ code: 'REQUEST_TIMEOUT', message: 'The body arrives too slowly.' })
})

test('An announced length is refused above the limit, and a request without one is not.', () => {
  const of = (headers: Record<string, string>) => () => requireLength(new Request('http://localhost/', { headers }), 5)
  expect(of({ 'Content-Length': '6' })).toThrow('The body is larger than 5 bytes.')
  for (const fitting of [{ 'Content-Length': '5' }, {}]) expect(of(fitting as Record<string, string>)).not.toThrow()
})

test('A body is JSON by its media type alone, with or without parameters.', () => {
  const of = (type: string | null) =>
    new Request('http://localhost/', { headers: type === null ? {} : { 'Content-Type': type } })
  for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json ;x=y'])
    expect([type, isJson(of(type))]).toEqual([type, true])
  for (const type of [null, '', 'text/json', 'application/json5', 'x application/json', 'application/problem+json'])
    expect([type, isJson(of(type))]).toEqual([type, false])
  expect(() => requireJson(of('application/json'))).not.toThrow()
  expect(() => requireJson(of('text/plain'))).toThrow('The body must be application/json.')
})

test('A form has at most a thousand fields and a limited size, and of a repeated field the last counts.', async () => {
  const read = (body: string) =>
    readForm({
      request: new Request('http://localhost/', { method: 'POST', body }),
      address: '192.0.2.1',
      server: null,
      uploads: createUploads(),
    })
  expect(await read('a=1&b=x+y%26&a=2')).toEqual({ a: '2', b: 'x y&' })
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=`).join('&')
  expect(Object.keys(await read(fields(MAX_FIELDS)))).toHaveLength(MAX_FIELDS)
  await expect(read(fields(MAX_FIELDS + 1))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect((await read(`a=${'x'.repeat(64 * 1024 - 2)}`)).a).toHaveLength(64 * 1024 - 2)
  await expect(read(`a=${'x'.repeat(64 * 1024 - 1)}`)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('The idle timeout of the connection is that of the body, and the body is that of the address.', async () => {
  const begun: { address: string; sender: string; setTimeout(seconds: number): void }[] = []
  const uploads = createUploads()
  const begin: typeof uploads.begin = (options) => {
    begun.push(options)
    options.setTimeout(7)
    return uploads.begin(options)
  }
  const request = new Request('http://localhost/', { method: 'POST', body: '12345' })
  const timeouts: unknown[] = []
  const server = { timeout: (...given: unknown[]) => void timeouts.push(given), requestIP: () => null }
  const sending = { request, address: '192.0.2.1', server, uploads: { ...uploads, begin } }
  expect(await readBytes(sending, 5, 'known')).toHaveLength(5)
  expect([timeouts, begun.map(({ address, sender }) => [address, sender])]).toEqual([
    [[request, 7]],
    [['192.0.2.1', 'known']],
  ])
})
