import { expect, test } from 'bun:test'
import { KEPT_CHARACTERS, keptAddress, keptJson } from '../../src/developer/kept-body.ts'

const kept = (value: unknown, of: 'request' | 'answer' = 'request') => JSON.parse(keptJson(JSON.stringify(value), of)!)

test('JSON is kept as it is, whatever it holds.', () => {
  for (const value of [
    { a: [1, -2.5e3, true, null, 'é "quoted" \\ \n', {}, []], 'b"': { c: [[{ d: '' }]] } },
    [],
    'text',
    0,
  ])
    expect(kept(value)).toEqual(value as never)
  expect(keptJson(' { "a" : [ 1 , 2 ] , "b" : "c" } ', 'request')).toBe('{"a":[1,2],"b":"c"}')
})

test('Secrets are removed by their names and by their looks, ids and the code of an error are not.', () => {
  const id = 'prj_0123456789abcdef0123456789abcdef01'
  const token = `svc_at_${'Ab1_-'.repeat(8)}`
  const removed = '[removed]'
  expect(
    kept({
      ...{ password: 'a "b"', smtp_password: 'x', client_secret: ['a', { b: 'c' }], refreshToken: 5, code: 'abc' },
      ...{
        'API-Key': 'k',
        code_verifier: 'v',
        token_type: 'Bearer',
        authorization: { id },
        project_id: id,
        name: 'Ada',
      },
      ...{ text: `See https://x.example/leave/${'aB3'.repeat(12)} or ${token}.`, line: '-'.repeat(60) },
    }),
  ).toEqual({
    ...{ password: removed, smtp_password: removed, client_secret: removed, refreshToken: removed, code: removed },
    ...{ 'API-Key': removed, code_verifier: removed, token_type: 'Bearer', authorization: { id }, project_id: id },
    ...{ name: 'Ada', text: `See https://x.example/leave/${removed} or ${removed}.`, line: '-'.repeat(60) },
  })
  expect(kept({ error: { code: 'NOT_FOUND' }, access_token: token }, 'answer')).toEqual({
    error: { code: 'NOT_FOUND' },
    access_token: removed,
  })
  const passedOn = JSON.stringify({ password: 'swordfish', name: 'Ada', inner: JSON.stringify([{ secret: 'x' }]) })
  expect(kept({ body: passedOn, note: '[note] the password' })).toEqual({
    body: JSON.stringify({ password: removed, name: 'Ada', inner: JSON.stringify([{ secret: removed }]) }),
    note: '[note] the password',
  })
  const long = JSON.stringify({ body: passedOn })
  for (let length = 1; length < long.length; length++)
    expect(keptJson(long.slice(0, length), 'request')).not.toContain('swordf')
  expect(kept({ active: true, username: 'ada@example.com' }, 'answer')).toEqual({ active: true, username: removed })
  const url = new URL(`http://x/a/${id}/${'aB3'.repeat(12)}?project_id=${id}&token=abc&name=Ada`)
  expect(keptAddress(url)).toBe(`/a/${id}/${'aB3'.repeat(12)}?project_id=${id}&token=${removed}&name=Ada`)
})

test('Long texts, long lists and deep ones are cut, and stay JSON.', () => {
  expect(kept({ html: 'x'.repeat(5_000), after: 1 })).toEqual({ html: `${'x'.repeat(500)}…`, after: 1 })
  const list = kept({ items: Array.from({ length: 2_000 }, (_, id) => ({ id, email: `p${id}@example.com` })) })
  expect(list.items[7]).toEqual({ id: 7, email: 'p7@example.com' })
  expect(list.items.length).toBeLessThan(200)
  let deep: unknown = 1
  for (let level = 0; level < 60; level++) deep = level % 2 ? [deep] : { deep }
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`key${nth}`, nth]))
  for (const value of [deep, many, Array.from({ length: 3_000 }, () => [1])])
    expect(keptJson(JSON.stringify(kept(value)), 'answer')!.length).toBeLessThanOrEqual(KEPT_CHARACTERS)
})

test('A text that ends too early is kept up to there, and what is no JSON is not kept.', () => {
  const text = JSON.stringify({ a: [{ b: 'text' }, 12], password: 'secret', c: { d: null } })
  for (let length = 1; length < text.length; length++) {
    const found = keptJson(text.slice(0, length), 'request')
    expect(() => JSON.parse(found!)).not.toThrow()
    expect(found).not.toContain('secre')
  }
  for (const other of ['', 'password=secret', '{password: "secret"}', '{"a" "b"}'])
    expect([other, keptJson(other, 'request') ?? 'nothing']).toEqual([
      other,
      other.startsWith('{') ? '{"…":"…"}' : 'nothing',
    ])
})

test('A text that is not valid JSON is not kept, and nothing behind it.', () => {
  for (const text of ['two\nlines', '\\q'])
    expect(keptJson(`{"a":1,"b":"${text}","password":"secret"}`, 'request')).toBe('{"a":1,"…":"…"}')
})

test('A token at the end of a text that is cut off is removed as a whole.', () => {
  const found = keptJson(`{"a":"${'x '.repeat(240)}${'aB3'.repeat(12)} and more`, 'request')
  expect(found).toContain('[removed]')
  expect(found).not.toContain('aB3')
})
