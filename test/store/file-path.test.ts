import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { filePath, syncPath } from '../../src/store/file-path.ts'

test('The path of a database file has no parameters, and may be relative.', () => {
  expect(filePath('file:data/m.db')).toBe('data/m.db')
  expect(filePath('file:/data/m.db?mode=ro')).toBe('/data/m.db')
  expect(filePath('file:///data/m%20n.db')).toBe('/data/m n.db')
})

test('A file and a folder can be synced, and one that is missing is told.', () => {
  expect(() => syncPath(import.meta.path)).not.toThrow()
  expect(() => syncPath(import.meta.dir)).not.toThrow()
  expect(() => syncPath(join(import.meta.dir, 'missing'))).toThrow('ENOENT')
})
