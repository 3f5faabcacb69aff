import { afterAll, expect, test } from 'bun:test'
import { delivered, type Receiving } from '../../../src/http/core/delivery.ts'
import { textResponse } from '../../../src/http/core/large-body.ts'

const texts = new Map(['x'.repeat(20_000), 'é'.repeat(60_000), 'short'].map((text, nth) => [`/${nth}`, text]))
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    await new Promise<void>((resume) => {
      setImmediate(resume)
    })
    const text = texts.get(new URL(request.url).pathname)!
    return delivered({ request } as Receiving, textResponse(text, { headers: { 'Content-Type': 'text/plain' } }))
  },
})
afterAll(() => server.stop(true))

test('A text of up to 64 kB that is ready late is sent with its length, to HEAD the length alone.', async () => {
  for (const [path, text] of texts) {
    const [whole, head] = [
      await fetch(server.url.origin + path),
      await fetch(server.url.origin + path, { method: 'HEAD' }),
    ]
    const length = String(Buffer.byteLength(text))
    expect([whole.headers.get('content-length'), head.headers.get('content-length')]).toEqual([length, length])
    expect([await whole.text(), await head.text()]).toEqual([text, ''])
  }
})
