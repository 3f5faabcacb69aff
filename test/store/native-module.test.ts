import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
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
  expect([statSync(unpack()).ino, lstatSync(path).ino]).toEqual([ino, ino])
  expect(readdirSync(folder)).toHaveLength(2)
})

test('a file that was tidied away is loaded again as it was, since two copies would not know of each other', () => {
  const path = unpack()
  const { ino } = lstatSync(path)
  rmSync(path)
  expect(statSync(unpack()).ino).toBe(ino)
})

test.each<[string, (path: string) => void]>([
  [
    'others may write to',
    (path) => {
      writeFileSync(path, MODULE)
      chmodSync(path, 0o666)
    },
  ],
  ['is too short', (path) => writeFileSync(path, MODULE.subarray(1), { mode: 0o600 })],
  [
    'is a link to elsewhere',
    (path) => {
      writeFileSync(join(folder, 'theirs'), MODULE)
      symlinkSync(join(folder, 'theirs'), path)
    },
  ],
])('a file that %s is replaced', (_, spoil) => {
  const path = join(folder, `.masthead-${process.getuid!()}-abababababababab.node`)
  spoil(path)
  const { ino } = lstatSync(path)
  expect(unpack()).toBe(path)
  const found = lstatSync(path)
  expect([found.isFile(), found.mode & 0o777, found.ino !== ino, readFileSync(path).equals(MODULE)]).toEqual([
    true,
    0o600,
    true,
    true,
  ])
})

test('where nothing can be unpacked that is an error, and nothing is left behind', () => {
  writeFileSync(join(folder, 'module.zst'), 'no archive')
  expect(unpack).toThrow()
  expect(readdirSync(folder)).toEqual(['module.zst'])
})
