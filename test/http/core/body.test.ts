import { expect, test } from 'bun:test'
import { readBytes } from '../../../src/http/core/body.ts'
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
