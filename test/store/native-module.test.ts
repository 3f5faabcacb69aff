import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  comparedNativeModule,
  nativeModulePath,
  type PackedModule,
  takeComparedNativeModule,
  unpackNativeModuleBelow,
} from '../../src/store/native-module.ts'

const MODULE = new Uint8Array(10_000).fill(7)
const sha256 = new Bun.CryptoHasher('sha256').update(MODULE).digest('hex')
let folder: string
let base: string
let packed: PackedModule

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-native-test-'))
  base = join(folder, 'native')
  packed = { archive: join(folder, 'module.zst'), sha256 }
  writeFileSync(packed.archive, Bun.zstdCompressSync(MODULE))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('The module is unpacked once into a folder of its own, for its user only.', () => {
  const path = nativeModulePath(packed, base)
  expect(path).toBe(join(base, sha256, 'libsql.node'))
  const { ino, mode } = lstatSync(path)
  expect([mode & 0o777, readFileSync(path).equals(MODULE)]).toEqual([0o700, true])
  expect([base, join(base, sha256)].map((made) => lstatSync(made).mode & 0o777)).toEqual([0o700, 0o700])
  expect([nativeModulePath(packed, base), lstatSync(path).ino]).toEqual([path, ino])
  expect(readdirSync(join(base, sha256))).toEqual(['libsql.node'])
})

test('Another version of the module is unpacked beside it.', () => {
  const first = nativeModulePath(packed, base)
  const next = new Uint8Array(10).fill(1)
  writeFileSync(packed.archive, Bun.zstdCompressSync(next))
  const hash = new Bun.CryptoHasher('sha256').update(next).digest('hex')
  const second = nativeModulePath({ ...packed, sha256: hash }, base)
  expect([readFileSync(first).length, readFileSync(second).length]).toEqual([10_000, 10])
})

test.each<[string, (path: string) => void]>([
  ['has other content of the same length', (path) => writeFileSync(path, new Uint8Array(10_000))],
  ['is too short', (path) => writeFileSync(path, MODULE.subarray(1))],
  [
    'is a link to another place',
    (path) => {
      writeFileSync(join(folder, 'theirs'), MODULE)
      symlinkSync(join(folder, 'theirs'), path)
    },
  ],
])('A file that %s is replaced.', (_, spoil) => {
  const path = join(base, sha256, 'libsql.node')
  mkdirSync(join(base, sha256), { recursive: true, mode: 0o700 })
  spoil(path)
  expect(nativeModulePath(packed, base)).toBe(path)
  const found = lstatSync(path)
  expect([found.isFile(), found.mode & 0o777, readFileSync(path).equals(MODULE)]).toEqual([true, 0o700, true])
})

test.each(['native', `native/${sha256}`])('The folder %s is refused when other users can write to it.', (name) => {
  mkdirSync(join(base, sha256), { recursive: true, mode: 0o700 })
  chmodSync(join(folder, name), 0o777)
  expect(() => nativeModulePath(packed, base)).toThrow('is not a folder that only its owner')
})

test.each<[string, Uint8Array]>([
  ['no archive', new TextEncoder().encode('no archive')],
  ['another module', Bun.zstdCompressSync(MODULE.subarray(1))],
])('An executable that contains %s is refused, and nothing is left behind.', (_, archive) => {
  writeFileSync(packed.archive, archive)
  expect(() => nativeModulePath(packed, base)).toThrow()
  expect(readdirSync(join(base, sha256))).toEqual([])
})

test('The module is unpacked below the data folder that was set.', () => {
  unpackNativeModuleBelow(folder)
  expect(nativeModulePath(packed)).toBe(join(base, sha256, 'libsql.node'))
})

test('A thread takes over the module that the main thread has compared, and no other one.', () => {
  const path = nativeModulePath(packed, base)
  expect(comparedNativeModule()).toBe(path)
  writeFileSync(path, 'changed')
  takeComparedNativeModule(path)
  try {
    expect(nativeModulePath(packed, base)).toBe(path)
    expect(readFileSync(path, 'utf8')).toBe('changed')
    expect(readFileSync(nativeModulePath(packed, join(folder, 'other'))).equals(MODULE)).toBe(true)
  } finally {
    takeComparedNativeModule(null)
  }
})
