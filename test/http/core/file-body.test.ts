import { expect, test } from 'bun:test'
import { ANY_TYPE, bodyOf, readFileBody } from '../../../src/http/core/file-body.ts'
import type { Sending } from '../../../src/http/core/body.ts'
import { createUploads } from '../../../src/http/core/uploads.ts'

const MAX = 10
const sending = (body: BodyInit | null, type?: string): Sending => ({
  request: new Request('http://localhost', {
    method: 'POST',
    body,
    ...(type !== undefined && { headers: { 'Content-Type': type } }),
  }),
  address: '192.0.2.1',
  server: null,
  uploads: createUploads(),
})
const read = (body: BodyInit | null, type?: string, takes: string[] = ['image/png', 'multipart/form-data']) =>
  readFileBody(sending(body, type), takes, MAX)
const form = (parts: Record<string, Blob | string>): FormData => {
  const data = new FormData()
  for (const [name, part] of Object.entries(parts)) data.append(name, part as Blob)
  return data
}
const bytes = (count: number) => new Uint8Array(count).fill(65)

test('A file is the whole body of a type that is taken.', async () => {
  expect(await read(bytes(3), 'Image/PNG; x=y')).toEqual({ bytes: bytes(3), name: '' })
  expect(await read(bytes(3), 'text/x', [ANY_TYPE])).toMatchObject({ name: '' })
  expect(await read(bytes(3))).toEqual({ bytes: bytes(3), name: '' })
  await expect(read(bytes(3), 'image/gif')).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
})

test('A file of a form has a name, and the form has no other part.', async () => {
  const file = new File([bytes(3)], 'a.png')
  expect(await read(form({ file }))).toEqual({ bytes: bytes(3), name: 'a.png' })
  await expect(read(form({ file, title: 'x' }))).rejects.toMatchObject({ details: [{ path: '/title' }] })
  await expect(read(form({ file: 'x' }))).rejects.toMatchObject({ details: [{ path: '/file' }] })
  await expect(read(form({}))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(read('x', 'multipart/form-data; boundary=b')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('A file is not empty and not larger than the limit.', async () => {
  expect((await read(bytes(MAX), 'image/png')).bytes).toHaveLength(MAX)
  await expect(read(bytes(MAX + 1), 'image/png')).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  await expect(read(form({ file: new File([bytes(MAX + 1)], 'a') }))).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  })
  await expect(read(bytes(bodyOf(MAX) + 1), 'image/png')).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  await expect(read(bytes(0), 'image/png')).rejects.toMatchObject({
    details: [{ path: '/file', message: 'The file is empty.' }],
  })
})
