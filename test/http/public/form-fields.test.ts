import { expect, test } from 'bun:test'
import { MAX_FIELDS, type Sending } from '../../../src/http/core/body.ts'
import { createUploads } from '../../../src/http/core/uploads.ts'
import { FormFields, readFormFields } from '../../../src/http/public/form-fields.ts'

const fields = (text: string) => new FormFields(new URLSearchParams(text))
const uploads = createUploads()
const post = (body: string | FormData, type?: string) => ({
  request: new Request('http://x', { method: 'POST', body, ...(type ? { headers: { 'Content-Type': type } } : {}) }),
  address: '192.0.2.1',
  server: null,
  uploads,
})
const codeOf = (sending: Sending) =>
  readFormFields(sending).then(
    () => null,
    (error: { code: string }) => error.code,
  )

test('The fields of a form have a name and all their values, with plain line breaks.', () => {
  const form = fields('a=1&b=x%0D%0Ay&a=2')
  expect([form.names(), form.all('b', 'a'), form.all('c')]).toEqual([['a', 'b'], ['x\ny', '1', '2'], []])
})

test('The fields of a form count as missing when they are empty, and the last value wins.', () => {
  const form = fields('a=&b=1&b=2&c=')
  expect([form.one('a'), form.one('b'), form.one('a', 'b'), form.one('c', 'd')]).toEqual([
    undefined,
    '2',
    '2',
    undefined,
  ])
})

test('The fields of a form become ids where they are numbers, and stay for the validation otherwise.', () => {
  expect(fields('l=1&l=&l=x&l[]=2').ids('l', 'l[]')).toEqual([1, 'x', 2])
  expect(fields('l=').ids('l')).toBeUndefined()
  expect(fields(`l=${'9'.repeat(16)}`).ids('l')).toEqual(['9'.repeat(16)])
})

test('The fields of a form are limited in number.', () => {
  const many = (count: number) => new URLSearchParams(Array.from({ length: count }, () => ['a', '1']))
  expect(new FormFields(many(MAX_FIELDS)).all('a')).toHaveLength(MAX_FIELDS)
  expect(() => new FormFields(many(MAX_FIELDS + 1))).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
})

test('The body of a form is read in both encodings.', async () => {
  const multipart = new FormData()
  multipart.append('a', 'ü')
  expect((await readFormFields(post(multipart))).one('a')).toBe('ü')
  expect((await readFormFields(post('a=%C3%BC', 'application/x-www-form-urlencoded'))).one('a')).toBe('ü')
})

test('The body of a form is refused when it is of another type, broken, or has a file.', async () => {
  expect(await codeOf(post('a=1', 'text/plain'))).toBe('UNSUPPORTED_MEDIA_TYPE')
  expect(await codeOf(post('nonsense', 'multipart/form-data; boundary=x'))).toBe('VALIDATION_FAILED')
  const file = new FormData()
  file.append('a', new File(['x'], 'x.txt'))
  expect(await codeOf(post(file))).toBe('VALIDATION_FAILED')
  await expect(readFormFields(post(file))).rejects.toMatchObject({ details: [{ path: '/a' }] })
})
