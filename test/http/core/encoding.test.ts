import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  chooseEncoding,
  compressed,
  encodedAlone,
  encodedOnce,
  encodedTag,
  ENCODINGS,
  namesTag,
} from '../../../src/http/core/encoding.ts'
import { textResponse } from '../../../src/http/core/large-body.ts'
import { shareAmong } from '../../../src/share.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

const NEWSLETTER = '/general/api/v1/newsletter'

/** A response with its bytes as they were sent. */
async function sent(path: string, accept: string, init: RequestInit = {}) {
  const headers = { ...init.headers, 'Accept-Encoding': accept }
  const response = await world.fetch(path, { ...init, headers, decompress: false } as RequestInit)
  return { response, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test.each([
  [null, null],
  ['', null],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['X-GZip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1, br;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['*;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip ; Q=0.5', 'gzip'],
  ['br;q=2, gzip;q=x', null],
  ['compress', null],
] as const)('Accept-Encoding %p chooses %p.', (accept, expected) => {
  expect(chooseEncoding(accept, ENCODINGS)).toBe(expected)
})

test('Texts are compressed, and neither pictures, fonts and streams nor what only begins like a text.', async () => {
  const encodingOf = async (type: string | null) => {
    const answer = new Response('High water. '.repeat(200))
    answer.headers.delete('content-type')
    if (type !== null) answer.headers.set('Content-Type', type)
    const asked = new Request('http://x/', { headers: { 'Accept-Encoding': 'gzip' } })
    return (await compressed(asked, answer)).headers.get('content-encoding')
  }
  const texts = ['json', 'xml', 'atom+xml'].map((kind) => `application/${kind}`)
  for (const kind of ['css', 'html', 'javascript', 'plain']) texts.push(`text/${kind}`, `text/${kind};charset=utf-8`)
  for (const type of [...texts, 'image/svg+xml']) expect([type, await encodingOf(type)]).toEqual([type, 'gzip'])
  for (const type of [
    'text/csv',
    'image/png',
    'font/woff2',
    'application/octet-stream',
    'text/htmlx',
    'xtext/html',
    null,
  ])
    expect([type, await encodingOf(type)]).toEqual([type, null])
})

describe.each([`${NEWSLETTER}/openapi.json`, '/general/api/v1/openapi.json', '/assets/portal/portal.css'])(
  'The fixed document %s',
  (path) => {
    test('A fixed document is the same text in each encoding, each with a strong tag that gives a 304.', async () => {
      const plain = await sent(path, 'identity')
      expect(plain.headers.get('content-encoding')).toBeNull()
      const tags = new Set([plain.headers.get('etag')])
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const { headers, bytes } = await sent(path, encoding)
        expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'Accept-Encoding'])
        expect(decode(bytes).equals(plain.bytes)).toBe(true)
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        const etag = headers.get('etag')!
        expect(etag).toMatch(/^"/)
        tags.add(etag)
        const again = await sent(path, encoding, { headers: { 'If-None-Match': etag } })
        expect([again.response.status, again.headers.get('etag'), again.bytes.length]).toEqual([304, etag, 0])
      }
      expect(tags.size).toBe(3)
    })

    test('A fixed document answers HEAD with the headers of GET.', async () => {
      for (const accept of ['br', 'gzip', 'identity']) {
        const got = await sent(path, accept)
        const head = await sent(path, accept, { method: 'HEAD' })
        expect(head.bytes.length).toBe(0)
        for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
          expect([accept, name, head.headers.get(name)]).toEqual([accept, name, got.headers.get(name)])
      }
    })
  },
)

test('Pages and JSON above 1 kB are sent with gzip, and keep their other headers.', async () => {
  for (let index = 0; index < 15; index += 1)
    await world.ok('contacts/upsert', { email: `reader${index}@example.org`, consent_text: 'Yes.' })
  const headers = { Authorization: world.keys.owner, 'Content-Type': 'application/json' }
  const list = await sent(`${NEWSLETTER}/contacts/list`, 'br, gzip', { method: 'POST', headers, body: '{}' })
  expect(list.headers.get('content-encoding')).toBe('gzip')
  expect(list.headers.get('ratelimit')).not.toBeNull()
  expect(JSON.parse(gunzipSync(list.bytes).toString()).data.items).toHaveLength(15)

  const page = await sent('/portal/login', 'gzip')
  expect([page.headers.get('content-encoding'), page.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
  expect(page.headers.get('content-security-policy')).not.toBeNull()
  expect(gunzipSync(page.bytes).toString()).toContain('</html>')
  const head = await sent('/portal/login', 'gzip', { method: 'HEAD' })
  expect([head.headers.get('content-encoding'), head.bytes.length]).toEqual(['gzip', 0])
})

test('A short answer, a picture and the streamed export are sent as they are.', async () => {
  const headers = { Authorization: world.keys.owner, 'Content-Type': 'application/json' }
  for (const path of ['/healthz', '/assets/gallery/welcome.png'])
    expect((await sent(path, 'br, gzip')).headers.get('content-encoding')).toBeNull()
  for (let n = 0; n < 12; n++)
    await world.ok('contacts/upsert', { email: `${n}.${'x'.repeat(50)}@example.com`, consent_text: 'Yes' })
  const csv = await sent(`${NEWSLETTER}/contacts/export`, 'br, gzip', { method: 'POST', headers, body: '{}' })
  expect([csv.headers.get('content-encoding'), csv.bytes.length > 1024]).toEqual([null, true])
})

const LONG = 'text '.repeat(1000)
const asks = (accept: string) => new Request('http://x/', { headers: { 'Accept-Encoding': accept } })
const html = (headers: Record<string, string> = {}, status = 200) =>
  new Response(LONG, { status, headers: { 'Content-Type': 'text/html', ...headers } })

test('A page that another site opens with a cookie is not compressed, so its length tells nothing.', async () => {
  const codingOf = async (site: string, cookie: Record<string, string> = { Cookie: 'masthead_session=x' }) => {
    const headers = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': site, ...cookie }
    const answer = await compressed(new Request('http://x/', { headers }), html({ 'Cache-Control': 'no-store' }))
    return [answer.headers.get('content-encoding'), answer.headers.get('vary')]
  }
  for (const site of ['cross-site', 'same-site']) expect(await codingOf(site)).toEqual([null, 'Accept-Encoding'])
  for (const site of ['same-origin', 'none']) expect(await codingOf(site)).toEqual(['gzip', 'Accept-Encoding'])
  expect(await codingOf('cross-site', {})).toEqual(['gzip', 'Accept-Encoding'])
})

test('A part of a body and a body with an encoding are never compressed.', async () => {
  for (const given of [html({}, 206), html({ 'Content-Encoding': 'br' })]) {
    const answer = await compressed(asks('gzip'), given)
    expect([answer, await answer.text()]).toEqual([given, LONG])
  }
})

test('The strong ETag of a page is weak where the page is compressed.', async () => {
  const shown = (headers: Headers) => [headers.get('etag'), headers.get('vary')]
  for (const [accept, expected] of [
    ['gzip', ['W/"a"', 'Accept-Encoding']],
    ['identity', ['"a"', 'Accept-Encoding']],
  ] as const) {
    expect(shown((await compressed(asks(accept), html({ ETag: '"a"' }))).headers)).toEqual([...expected])
  }
  const led = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': 'cross-site', Cookie: 'masthead_session=x' }
  const fromElsewhere = new Request('http://x/', { headers: led })
  expect(shown((await compressed(fromElsewhere, html({ ETag: '"a"' }))).headers)).toEqual(['"a"', 'Accept-Encoding'])
})

test('Vary keeps what a page already depends on, and each cookie stays a line of its own.', async () => {
  const given = html({ Vary: 'Sec-GPC' })
  given.headers.append('Set-Cookie', 'a=1')
  given.headers.append('Set-Cookie', 'b=2')
  const { headers } = await compressed(asks('gzip'), given)
  expect([headers.get('vary'), headers.getSetCookie()]).toEqual(['Sec-GPC, Accept-Encoding', ['a=1', 'b=2']])
})

test('A request without Accept-Encoding gets the response that the handler made.', () => {
  const given = html({ 'Cache-Control': 'no-store' })
  expect(compressed(new Request('http://x/'), given)).toBe(given)
  expect(given.headers.get('vary')).toBeNull()
})

test.each([
  [null, false],
  ['', false],
  [' * ', true],
  ['"a"', true],
  [' W/"a" ', true],
  ['"x", "a-br" ,"y"', true],
  ['W/"a-gzip"', true],
  ['"a-zstd"', false],
  ['a', false],
  ['"A"', false],
])('If-None-Match %p names the tag "a" or one of its forms: %p.', (given, expected) => {
  expect(namesTag(given, '"a"')).toBe(expected)
})

test('The tag of a compressed form is another one.', () => {
  expect([encodedTag('"a"', null), encodedTag('"a"', 'br'), encodedTag('"a"', 'gzip')]).toEqual([
    '"a"',
    '"a-br"',
    '"a-gzip"',
  ])
})

test('A compressed page keeps its status.', async () => {
  for (const body of [LONG, 'short']) {
    const given = new Response(body, { status: 404, headers: { 'Content-Type': 'text/html' } })
    expect((await compressed(asks('gzip'), given)).status).toBe(404)
  }
})

test('A body that does not change is compressed once for each coding.', async () => {
  const body = new TextEncoder().encode(LONG)
  const [br, gzip] = [encodedOnce(body, 'br', 'fast'), encodedOnce(body, 'gzip', 'fast')]
  expect([encodedOnce(body, 'br', 'fast') === br, encodedOnce(body, 'gzip', 'fast') === gzip]).toEqual([true, true])
  expect(brotliDecompressSync(await br).toString()).toBe(LONG)
  expect(gunzipSync(await gzip).toString()).toBe(LONG)
})

test('While 8 MiB wait for their compression, a further large answer is sent as it is.', async () => {
  const request = new Request('http://127.0.0.1/', { headers: { 'Accept-Encoding': 'gzip' } })
  const text = 'x'.repeat(100_000)
  const answer = async () => {
    const { headers } = await compressed(request, textResponse(text, { headers: { 'Content-Type': 'text/plain' } }))
    return [headers.get('content-encoding'), headers.get('vary')]
  }
  const body = new Uint8Array(4 * 1024 * 1024)
  const others = [1, 2].map(() => encodedAlone(body, { encoding: 'gzip', effort: 'fast' }))
  expect(await answer()).toEqual([null, 'Accept-Encoding'])
  await Promise.all(others)
  expect(await answer()).toEqual(['gzip', 'Accept-Encoding'])
  // One of two threads.
  shareAmong(2)
  const other = encodedAlone(body, { encoding: 'gzip', effort: 'fast' })
  expect(await answer()).toEqual([null, 'Accept-Encoding'])
  shareAmong(1)
  await other
})
