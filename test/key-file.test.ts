import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configOf } from '../src/config.ts'
import { addToKeyFile, configuredKeys, filterKeyFile, keyFile, makeKeyFile, secretKeySource } from '../src/key-file.ts'
import { scratchFolder } from './support/folder.ts'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]
const folder = scratchFolder()
let number = 0
/** A key file of its own, with these lines if there are some. */
function file(text?: string): string {
  const path = join(folder, `${++number}.key`)
  if (text !== undefined) writeFileSync(path, text)
  return path
}

test('The first key is made once, and only its owner reads it.', () => {
  const path = file()
  makeKeyFile(path)
  const first = readFileSync(path, 'utf8')
  expect(first).toMatch(/^\S{32,}\n$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  makeKeyFile(path)
  expect(readFileSync(path, 'utf8')).toBe(first)
  expect(readdirSync(folder).filter((name) => name.startsWith(`${number}.key-`))).toEqual([])
  expect(() => makeKeyFile(join(folder, 'missing', 'secret.key'))).toThrow('ENOENT')
})

test('A new key stands in front of the others once, and what a killed process left does not matter.', () => {
  const path = file(`${OLD}\n`)
  writeFileSync(`${path}.new`, 'half')
  addToKeyFile(path, NEW)
  addToKeyFile(path, NEW)
  expect(readFileSync(path, 'utf8')).toBe(`${NEW}\n${OLD}\n`)
  expect(existsSync(`${path}.new`)).toBe(false)
  addToKeyFile(path, OLD)
  expect(readFileSync(path, 'utf8')).toBe(`${NEW}\n${OLD}\n`)
})

test('Keys are dropped from the file, which is left alone when all stay.', () => {
  const path = file(`${NEW}\n${OLD}\n`)
  chmodSync(path, 0o640)
  filterKeyFile(path, () => true)
  expect(statSync(path).mode & 0o777).toBe(0o640)
  filterKeyFile(path, (key) => key !== OLD)
  expect(readFileSync(path, 'utf8')).toBe(`${NEW}\n`)
})

test('The ring is the file, or the setting, each followed by the previous keys.', () => {
  const config = configOf({ data_dir: folder })
  expect(configuredKeys(config)).toEqual([])
  writeFileSync(keyFile(config), ` ${NEW} \n\n${OLD}\n`)
  expect(configuredKeys(config)).toEqual([NEW, OLD])
  const previous = 'p'.repeat(32)
  expect(configuredKeys({ ...config, secret_key_previous: `${previous},` })).toEqual([NEW, OLD, previous])
  expect(configuredKeys({ ...config, secret_key: OLD, secret_key_previous: previous })).toEqual([OLD, previous])
  expect(secretKeySource(config)).toBe(keyFile(config))
  expect(secretKeySource({ ...config, secret_key: OLD })).toBe('MASTHEAD_SECRET_KEY')
  for (const damaged of ['', '\n', `${NEW}\nshort\n`, 'x'.repeat(31)]) {
    writeFileSync(keyFile(config), damaged)
    expect(() => configuredKeys(config), damaged).toThrow('does not hold a secret key')
  }
})
