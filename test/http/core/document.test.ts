import { expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { cacheable, contentOf, publicDocument } from '../../../src/http/core/document.ts'

const LONG = contentOf('a text that is long enough to be worth it. '.repeat(100))
const ask = (headers: Record<string, string> = {}, content = LONG) =>
  cacheable(new Request('http://localhost', { headers }), content, { 'Content-Type': 'text/plain' })

test('A body is compressed as the client asks, with a tag of its own for each coding.', async () => {
  const plain = await ask()
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
  const packed = await ask({ 'Accept-Encoding': 'br' })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync(await packed.bytes()).length).toBe(LONG.bytes.length)
  expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
})

test('A compressed body that was made before is sent, and only for its own coding.', async () => {
  const made = { ...LONG, br: new Uint8Array([1, 2, 3]) }
  expect(await (await ask({ 'Accept-Encoding': 'br' }, made)).bytes()).toEqual(made.br)
  expect((await (await ask({ 'Accept-Encoding': 'gzip' }, made)).bytes()).length).toBeGreaterThan(3)
})

test('A client that names the tag gets 304 without a body, in every coding.', async () => {
  const tag = (await ask()).headers.get('etag')!
  for (const headers of [{ 'If-None-Match': tag }, { 'If-None-Match': tag, 'Accept-Encoding': 'br' }]) {
    const { status, body } = await ask(headers as Record<string, string>)
    expect([status, body]).toEqual([304, null])
  }
  expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200)
})

test('A short text is sent as it is.', async () => {
  const { headers } = await ask({ 'Accept-Encoding': 'br' }, contentOf('x'))
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
  expect(contentOf('x').version).not.toBe(contentOf('y').version)
})

test('A public document is made once, and read by every site.', async () => {
  let made = 0
  const serve = publicDocument((base_url) => ({ base_url, made: ++made }))
  const request = new Request('http://localhost')
  await serve({ request, base_url: 'http://a' })
  const response = await serve({ request, base_url: 'http://a' })
  expect(await response.json()).toEqual({ base_url: 'http://a', made: 1 })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
})
