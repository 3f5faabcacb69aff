import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../src/config.ts'
import { SETTINGS } from '../src/settings.ts'
import { didYouMean } from '../src/did-you-mean.ts'
import { scratchFolder } from './support/folder.ts'

const folder = scratchFolder()
const file = (text: string): string => {
  const path = join(folder, `${crypto.randomUUID()}.toml`)
  writeFileSync(path, text)
  return path
}

describe('a setting', () => {
  test('A setting comes from a flag, then the environment, then the file, then its default.', () => {
    const path = file('port = 4\nhost = "::1"\nrole = "web"')
    const config = readConfig({
      flags: { port: '2' },
      environment: { MASTHEAD_PORT: '3', MASTHEAD_HOST: '0.0.0.0' },
      file: path,
    })
    expect([config.port, config.host, config.role, config.log_level]).toEqual([2, '0.0.0.0', 'web', 'info'])
  })

  const refused: [string, Record<string, string>, string][] = [
    ['an unknown name', { MASTHEAD_PROT: '1' }, 'Unknown setting MASTHEAD_PROT. Did you mean MASTHEAD_PORT?'],
    [
      'a name of the examples',
      { MASTHEAD_KEY: 'svc_pk_x' },
      'Unknown setting MASTHEAD_KEY. In examples it is a credential of a caller: do not export it where masthead runs.',
    ],
    [
      'a value that is not a number',
      { MASTHEAD_PORT: 'x' },
      'MASTHEAD_PORT expects a whole number from 0 to 65535, not "x".',
    ],
    [
      'a number out of range',
      { MASTHEAD_PORT: '65536' },
      'MASTHEAD_PORT expects a whole number from 0 to 65535, not "65536".',
    ],
    ['a number that is not whole', { MASTHEAD_ACCESS_TOKEN_TTL_SECONDS: '1.5' }, 'expects a whole number'],
    [
      'a value outside the choices',
      { MASTHEAD_ROLE: 'both' },
      'MASTHEAD_ROLE expects one of all, web, worker, not "both".',
    ],
    ['a value that is not a boolean', { MASTHEAD_SANDBOX: 'perhaps' }, 'MASTHEAD_SANDBOX expects true or false'],
    [
      'a value that is not a web address',
      { MASTHEAD_BASE_URL: 'example.com' },
      'MASTHEAD_BASE_URL expects an http or https address',
    ],
    [
      'an unknown kind of database',
      { MASTHEAD_DATABASE_URL: 'postgres://x' },
      'MASTHEAD_DATABASE_URL expects file:PATH',
    ],
    [
      'a secret, which is not repeated',
      { MASTHEAD_SECRET_KEY: 'short and secret' },
      'MASTHEAD_SECRET_KEY expects at least 32 characters and no comma.',
    ],
  ]
  test.each(refused)('A setting with %s is refused with a message that names it.', (_, environment, message) => {
    expect(() => readConfig({ environment })).toThrow(message)
  })

  test.each([
    ['an unknown name', 'prot = 1', 'Unknown setting prot'],
    ['a table', '[oidc_label]\nx = 1', 'expects a single value'],
    ['text that is not TOML', 'port = = 1', 'is not valid TOML'],
  ])('A settings file with %s is refused with a message that names it.', (_, text, message) => {
    expect(() => readConfig({ environment: {}, file: file(text) })).toThrow(message)
  })

  test('A settings file that is given explicitly must exist.', () => {
    expect(() => readConfig({ environment: {}, file: join(folder, 'nowhere.toml') })).toThrow(
      'nowhere.toml does not exist.',
    )
  })
})

const CONFIGURATION = readFileSync(join(import.meta.dir, '../docs/configuration.md'), 'utf8')
/** The rows of docs/configuration.md about numbers. */
const NUMBERS = [...CONFIGURATION.matchAll(/^\| `(\w+)` \| `N` from ([\d,]+) to ([\d,]+) \| `(\d+)` /gm)].map(
  ([, name, ...numbers]) => [name!, ...numbers.map((number) => Number(number.replaceAll(',', '')))] as const,
)

test('A number passes at both documented ends, is refused beyond them, and has the documented default.', () => {
  expect(NUMBERS.length).toBeGreaterThan(15)
  for (const [name, least, most, fallback] of NUMBERS) {
    const key = name.replace('MASTHEAD_', '').toLowerCase() as keyof typeof SETTINGS
    const read = (value: number) => readConfig({ environment: { [name]: String(value) } })[key]
    expect([read(least!), read(most!), readConfig({ environment: {} })[key]], name).toEqual([least!, most!, fallback!])
    for (const beyond of [least! - 1, most! + 1]) expect(() => read(beyond), name).toThrow(`${name} expects`)
  }
})

test('A typing error gets a suggestion, a different word does not.', () => {
  expect(didYouMean('databse_url', ['database_url', 'port'])).toBe(' Did you mean database_url?')
  expect(didYouMean('zebra', ['database_url', 'port'])).toBe('')
})
