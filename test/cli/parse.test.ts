import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, UsageError } from '../../src/cli/command.ts'
import { configurationPage } from '../../src/cli/help.ts'
import { parseArguments } from '../../src/cli/parse.ts'

const paint = command({
  name: 'wall paint',
  summary: 'Paint a wall.',
  args: ['WALL'],
  flags: { color: { takes: 'COLOR', required: true, help: '' }, coats: { takes: 'N', help: '' }, dry: { help: '' } },
  run: async () => ({}),
})

const refusal = (...args: string[]): string => {
  try {
    parseArguments(paint, args)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return ''
}

test('The command line reads flags in both forms, switches, positional arguments and settings.', () => {
  const { call } = parseArguments(paint, [
    '--color=a=b',
    'north',
    '--dry',
    '--json',
    '--data-dir',
    '/d',
    '--config',
    'c.toml',
  ])
  expect(call as unknown).toEqual({
    flags: { color: 'a=b', dry: true },
    args: ['north'],
    settings: { flags: { data_dir: '/d' }, file: 'c.toml' },
    json: true,
  })
})

test('The command line reads a missing switch as false, and everything after -- as positional.', () => {
  const { call } = parseArguments(paint, ['--color', '-1', '--', '--dry'])
  expect(call).toMatchObject({ flags: { color: '-1', dry: false }, args: ['--dry'] })
})

test('The command line reads a boolean setting without a value as true.', () => {
  const sandbox = (...args: string[]) =>
    parseArguments(paint, ['w', '--color', 'red', ...args]).call.settings.flags.sandbox
  expect(sandbox('--sandbox')).toBe('true')
  expect(sandbox('--sandbox', 'false')).toBe('false')
  expect(sandbox('--sandbox=0')).toBe('0')
  for (const word of ['true', 'false', '0', '1']) expect(sandbox('--sandbox', word)).toBe(word)
  // Any other word is the next argument.
  const { call } = parseArguments(paint, ['--color', 'red', '--sandbox', 'yes'])
  expect([call.settings.flags.sandbox, call.args]).toEqual(['true', ['yes']])
})

test('The command line requires no other arguments with --help.', () => {
  expect(parseArguments(paint, ['--help']).help).toBe(true)
})

test('The command line throws a UsageError that names the mistake.', () => {
  expect(refusal('w')).toStartWith('--color is missing.')
  expect(refusal('--color', 'red')).toStartWith('WALL is missing.')
  expect(refusal('--color', 'red', 'w', 'x')).toBe('Unexpected argument x. See masthead wall paint --help.')
  expect(refusal('--color', '--dry', 'w')).toBe('--color needs a value.')
  expect(refusal('--color')).toBe('--color needs a value.')
  expect(refusal('--color', 'a', '--color', 'b', 'w')).toBe('--color was given twice.')
  expect(refusal('--dry=yes', '--color', 'a', 'w')).toBe('--dry takes no value.')
  expect(refusal('--colour', 'red', 'w')).toBe('Unknown flag --colour for wall paint. Did you mean --color?')
  expect(refusal('-c', 'w')).toStartWith('Unknown flag -c')
})

test('docs/configuration.md is what `masthead help configuration` prints.', () => {
  expect(readFileSync(join(import.meta.dir, '../../docs/configuration.md'), 'utf8')).toBe(`${configurationPage()}\n`)
})
