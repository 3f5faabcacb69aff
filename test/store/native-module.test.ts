import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackedModule } from '../../src/store/native-module.ts'

const MODULE = new Uint8Array(10_000).fill(7)
let folder: string
let unpack: () => string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-native-'))
  const archive = join(folder, 'module.zst')
  writeFileSync(archive, Bun.zstdCompressSync(MODULE))
  unpack = () => unpackedModule({ archive, sha256: 'ab'.repeat(32), bytes: MODULE.length }, folder)
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('the module is unpacked once, readable by its user only', () => {
  const path = unpack()
  const { ino, mode } = lstatSync(path)
  expect([mode & 0o777, readFileSync(path).equals(MODULE)]).toEqual([0o600, true])
  expect([unpack(), lstatSync(path).ino]).toEqual([path, ino])
  expect(readdirSync(folder)).toHaveLength(2)
})

test.each<[string, (path: string) => void]>([
  ['others may write to', (path) => chmodSync(path, 0o666)],
  ['is too short', (path) => truncateSync(path, 100)],
  ['is a link to elsewhere', (path) => {
    rmSync(path)
    writeFileSync(join(folder, 'theirs'), MODULE)
    symlinkSync(join(folder, 'theirs'), path)
  }],
])('a file that %s is replaced', (_, spoil) => {
  const path = unpack()
  const { ino } = lstatSync(path)
  spoil(path)
  unpack()
  const found = lstatSync(path)
  expect([found.isFile(), found.mode & 0o777, found.ino !== ino, readFileSync(path).equals(MODULE)]).toEqual([true, 0o600, true, true])
})

test('where nothing can be unpacked that is an error, and nothing is left behind', () => {
  writeFileSync(join(folder, 'module.zst'), 'no archive')
  expect(unpack).toThrow()
  expect(readdirSync(folder)).toEqual(['module.zst'])
})
