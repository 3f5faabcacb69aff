import { expect, test } from 'bun:test'
import { nameKey, requireAll } from '../../src/newsletter/names.ts'

test('Two names are the same without their case, the space around them, and how their accents are written.', () => {
  expect(nameKey(' Émile ')).toBe(nameKey('e\u0301MILE'))
  expect(nameKey('A  B')).toBe('a  b')
  expect(nameKey('Emile')).not.toBe(nameKey('Émile'))
})

test('The first id that was not found is pointed at.', () => {
  const found = [{ id: 1 }, { id: 3 }]
  expect(() => requireAll('list', '/list_ids', [1, 3, 1], found)).not.toThrow()
  expect(() => requireAll('list', '/list_ids', [], [])).not.toThrow()
  expect(() => requireAll('list', '/list_ids', [3, 2, 9], found)).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', message: 'No such list.', details: [{ path: '/list_ids/1' }] }),
  )
})
