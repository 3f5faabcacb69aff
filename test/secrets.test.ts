import { expect, test } from 'bun:test'
import { Keys, newMasterKey } from '../src/secrets.ts'
import { altered } from './support/altered.ts'

const [old, middle, newest] = [newMasterKey(), newMasterKey(), newMasterKey()]
const before = new Keys(old)
const ring = new Keys([newest!, middle!, old!])
const context = 'row:1'
const numbered = (number: number): string => `a key of an instance, number ${String(number).padStart(5, '0')}`

test('A key ring reads what each of its keys sealed, signed or marked, and writes with the newest.', () => {
  expect(ring.unseal('credentials', before.seal('credentials', 'word', context), context)).toBe('word')
  expect(ring.verify('click', before.sign('click', 'payload'))?.toString()).toBe('payload')
  expect(ring.isMark('return-path', 'id', before.mark('return-path', 'id'))).toBe(true)
  for (const text of [ring.seal('credentials', 'word', context), ring.sign('click', 'x'), ring.mark('open', 'x')])
    expect(text.slice(0, 5)).toBe(new Keys(newest!).newest_id)
})

test('A key ring refuses what a key outside of it made, also under the id of one of its keys.', () => {
  const other = new Keys(newMasterKey())
  const underOwnId = (text: string) => ring.newest_id + text.slice(5)
  const sealed = other.seal('credentials', 'word', context)
  const signed = other.sign('click', 'payload')
  const mark = other.mark('return-path', 'id')
  for (const text of [sealed, underOwnId(sealed)]) expect(ring.unseal('credentials', text, context)).toBeNull()
  for (const text of [signed, underOwnId(signed)]) expect(ring.verify('click', text)).toBeNull()
  for (const text of [mark, underOwnId(mark)]) expect(ring.isMark('return-path', 'id', text)).toBe(false)
})

test('A key ring refuses an altered text, another context and another purpose.', () => {
  const sealed = ring.seal('credentials', 'word', context)
  expect(ring.unseal('credentials', altered(sealed), context)).toBeNull()
  expect(ring.unseal('credentials', sealed, 'row:2')).toBeNull()
  expect(ring.unseal('account-message', sealed, context)).toBeNull()
  expect(ring.verify('open', ring.sign('click', 'payload'))).toBeNull()
  expect(ring.isMark('message-id', 'id', ring.mark('return-path', 'id'))).toBe(false)
})

test('A key ring reads with a key that was just added to its source, and writes with it only after replace.', () => {
  let source = [old!]
  const keys = new Keys(source, () => source)
  const id = keys.newest_id
  source = [newest!, old!]
  expect(keys.verify('click', ring.sign('click', 'payload'))?.toString()).toBe('payload')
  expect(keys.newest_id).toBe(id)
  keys.replace(source)
  expect(keys.newest_id).toBe(ring.newest_id)
  expect(keys.verify('click', before.sign('click', 'payload'))?.toString()).toBe('payload')
})

test('A key ring names a key by five characters that survive a change of case, and each key by others.', () => {
  const ids = Array.from({ length: 200 }, (_, number) => new Keys(numbered(number)).newest_id)
  expect(new Set(ids).size).toBe(200)
  for (const id of ids) expect(id).toMatch(/^[0-9a-v]{5}$/)
  expect(new Keys([old!, old!]).checks()).toHaveLength(1)
})

test('A key ring refuses two keys of the same name, because it could not tell which of them wrote.', () => {
  const [one, other] = [numbered(3379), numbered(15_528)]
  expect(new Keys(one).newest_id).toBe(new Keys(other).newest_id)
  expect(() => new Keys([old!, one, other])).toThrow('Two secret keys have the id n6p5f.')
})

test('A key ring refuses a key of fewer than 32 bytes.', () => {
  expect(() => new Keys([newest!, 'x'.repeat(31)])).toThrow('shorter than 32 bytes')
})
