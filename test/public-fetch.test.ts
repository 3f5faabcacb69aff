import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, mock, test } from 'bun:test'
import * as dns from 'node:dns/promises'
import { fetchPublic, fetchText, isPrivateAddress, publicLookup } from '../src/public-fetch.ts'
import { selfSigned } from './support/smtp-sink.ts'

const certificate = selfSigned('certificates.example')
/** Sends a part of the body and closes the connection. */
function cutShort(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, headers)
  response.write('x'.repeat(500), () => response.socket?.destroy())
}

const server = createServer(certificate, ({ url, method, headers }, response) => {
  const bytes = Number(/^\/bytes\/(\d+)$/.exec(url ?? '')?.[1])
  if (bytes) response.end('x'.repeat(bytes))
  else if (url === '/moved') response.writeHead(302, { Location: '/text' }).end('elsewhere')
  else if (url?.startsWith('/cut')) cutShort(response, url === '/cut/announced' ? { 'Content-Length': '1000' } : {})
  else if (url === '/typed')
    response.writeHead(203, { 'Content-Type': 'application/jwt' }).end(`${method} ${headers.to}`)
  else response.end(`this is ${url}`)
})
let origin: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `https://certificates.example:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const here = {
  ca: certificate.cert,
  lookup: (
    _host: string,
    _options: unknown,
    found: (error: null, addresses: { address: string; family: number }[]) => void,
  ) => found(null, [{ address: '127.0.0.1', family: 4 }]),
}

test('A fetch returns a small text and follows no redirect.', async () => {
  expect(await fetchText(`${origin}/text?x=1`, here)).toEqual({ status: 200, text: 'this is /text?x=1' })
  expect(await fetchText(`${origin}/moved`, here)).toEqual({ status: 302, text: 'elsewhere' })
})

test('A fetch sends a method and headers, and tells the type of the answer.', async () => {
  const sent = { method: 'PUT', headers: { To: 'Ada' }, body: 'x' }
  const answer = { status: 203, text: 'PUT Ada', type: 'application/jwt' }
  expect(await fetchText(`${origin}/typed`, here, sent)).toEqual(answer)
})

test('A fetch accepts 64 KiB and refuses a longer answer each time, in one piece or several.', async () => {
  expect((await fetchText(`${origin}/bytes/65536`, here)).text).toHaveLength(65_536)
  for (let time = 0; time < 10; time++)
    for (const bytes of [65_537, 100_000, 1_000_000])
      await expect(fetchText(`${origin}/bytes/${bytes}`, here)).rejects.toThrow('The answer is too long.')
})

test.each(['/cut/announced', '/cut/chunked'])('A fetch refuses an answer that is cut short: %s.', async (path) => {
  for (let time = 0; time < 2; time++) await expect(fetchText(origin + path, here)).rejects.toThrow()
})

test('A fetch refuses a certificate of another authority or another name.', async () => {
  await expect(fetchText(`${origin}/text`, { lookup: here.lookup })).rejects.toThrow()
  await expect(fetchText(origin.replace('certificates', 'others'), here)).rejects.toThrow()
})

test.each(['http://93.184.216.34/', 'ftp://93.184.216.34/', 'file:///etc/passwd'])(
  'A fetch refuses a URL that is not https: %s.',
  async (address) => {
    await expect(fetchPublic(address)).rejects.toThrow('Only https')
  },
)

test.each([
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://2130706433/',
  'https://0x7f.1/',
])('A fetch refuses a private address in any spelling: %s.', async (address) => {
  await expect(fetchPublic(address)).rejects.toThrow('private network')
})

test('A fetch refuses a host name with a private address.', async () => {
  await expect(fetchPublic(`${origin.replace('certificates.example', 'localhost')}/text`)).rejects.toThrow(
    'private network',
  )
  const error = await new Promise((resolve) => publicLookup('localhost', {}, resolve))
  expect(error).toBeInstanceOf(Error)
})

test('One private address among those of a host name is enough to refuse it.', async () => {
  const before = { ...dns }
  const [open, hidden] = [
    { address: '93.184.216.34', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]
  for (const [addresses, found] of [
    [[open], { error: null, addresses: [open] }],
    [[open, hidden], { error: expect.any(Error), addresses: [] }],
    [[hidden, open], { error: expect.any(Error), addresses: [] }],
  ] as const) {
    await mock.module('node:dns/promises', () => ({ ...before, lookup: async () => addresses }))
    const answer = await new Promise((resolve) =>
      publicLookup('mixed.example', {}, (error, of) => resolve({ error, addresses: of })),
    ).finally(() => mock.module('node:dns/promises', () => before))
    expect(answer as object).toEqual(found)
  }
})

test.each([
  ['10.1.2.3', true],
  ['127.0.0.1', true],
  ['169.254.169.254', true],
  ['172.31.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['::1', true],
  ['fe80::1', true],
  ['::ffff:10.0.0.1', true],
  ['172.32.0.1', false],
  ['::7f00:1', true],
  ['::ffff:0:10.0.0.1', true],
  ['64:ff9b::10.0.0.1', true],
  ['64:ff9b:1::1', true],
  ['100::1', true],
  ['2001:0:4136:e378::1', true],
  ['2002:a00:1::1', true],
  ['fec0::1', true],
  ['2001:db9::1', false],
  ['100:0:0:1::1', false],
  ['8.8.8.8', false],
  ['2606:4700::1111', false],
])('The address %s is classified as private: %p.', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})

const ALL_ONES = (start: string) => [...start.split(':'), ...Array<string>(8).fill('ffff')].slice(0, 8).join(':')
test.each<[string | null, string, string, string | null]>([
  [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', null],
  [null, '::', '::ffff:ffff', '::1:0:0'],
  ['::fffe:ffff:ffff:ffff', '::ffff:0:0:0', '::ffff:0:ffff:ffff', '::ffff:1:0:0'],
  [ALL_ONES('64:ff9a'), '64:ff9b::', ALL_ONES('64:ff9b'), '64:ff9c::'],
  [ALL_ONES('ff'), '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  [ALL_ONES('2000'), '2001::', ALL_ONES('2001:0'), '2001:1::'],
  [ALL_ONES('2001'), '2002::', ALL_ONES('2002'), '2003::'],
  [ALL_ONES('fbff'), 'fc00::', ALL_ONES('fdff'), 'fe00::'],
  [ALL_ONES('fe7f'), 'fe80::', ALL_ONES('febf'), null],
  [null, 'fec0::', ALL_ONES('feff'), null],
  [null, 'ff00::', ALL_ONES('ffff'), null],
])('After %s a private network reaches from %s to %s, up to %s.', (...ends) => {
  const [before, first, last, after] = ends
  expect([first, last].map(isPrivateAddress)).toEqual([true, true])
  expect([before, after].filter((address) => address !== null).some(isPrivateAddress)).toBe(false)
})
