import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fetchPublic, fetchText, isPrivateAddress, publicLookup } from '../src/public-fetch.ts'
import { selfSigned } from './support/smtp-sink.ts'

const certificate = selfSigned('certificates.example')
const server = createServer(certificate, ({ url }, response) => {
  if (url === '/moved') response.writeHead(302, { Location: '/text' }).end('elsewhere')
  else response.end(url === '/long' ? 'x'.repeat(100_000) : `this is ${url}`)
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

test('reads a small text, and follows nothing', async () => {
  expect(await fetchText(`${origin}/text?x=1`, here)).toEqual({ status: 200, text: 'this is /text?x=1' })
  expect(await fetchText(`${origin}/moved`, here)).toEqual({ status: 302, text: 'elsewhere' })
  await expect(fetchText(`${origin}/long`, here)).rejects.toThrow()
})

test('trusts only whom the name says', async () => {
  await expect(fetchText(`${origin}/text`, { lookup: here.lookup })).rejects.toThrow()
  await expect(fetchText(origin.replace('certificates', 'others'), here)).rejects.toThrow()
})

test.each(['http://93.184.216.34/', 'ftp://93.184.216.34/', 'file:///etc/passwd'])(
  'does not fetch %s',
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
])('does not reach %s', async (address) => {
  await expect(fetchPublic(address)).rejects.toThrow('private network')
})

test('does not reach a name that leads inside', async () => {
  await expect(fetchPublic(`${origin.replace('certificates.example', 'localhost')}/text`)).rejects.toThrow(
    'private network',
  )
  const error = await new Promise((resolve) => publicLookup('localhost', {}, resolve))
  expect(error).toBeInstanceOf(Error)
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
  ['8.8.8.8', false],
  ['2606:4700::1111', false],
])('%s is private: %p', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})
