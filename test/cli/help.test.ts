import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { command } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { commandHelp, familyHelp, overview } from '../../src/cli/help.ts'
import { environmentName, flagName } from '../../src/config.ts'
import { SETTINGS } from '../../src/settings.ts'
import { checker } from '../../src/schema.ts'
import { expectRecorded } from '../support/recorded.ts'

const sample = command({
  name: 'tide report',
  summary: 'Report the tides.',
  args: ['HARBOUR', '[FILE]'],
  flags: { day: { takes: 'DATE', required: true, help: 'The day.' }, short: { help: 'Only the highest.' } },
  run: async () => ({}),
})

test('The overview names every command with its summary.', () => {
  const text = overview(commands)
  for (const { name, summary } of commands)
    expect(text.split('\n').some((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))).toBe(true)
})

test('The help of a command has its arguments, its flags and which of them are required.', () => {
  const lines = commandHelp(sample)
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, '  '))
  expect(lines[0]).toBe('Usage: masthead tide report HARBOUR [FILE] [FLAGS]')
  expect(lines).toContain('  --day DATE  The day. Required.')
  expect(lines).toContain('  --short  Only the highest.')
  expect(lines.some((line) => line.startsWith('  --json '))).toBe(true)
  expect(lines.at(-1)).toContain('Every setting is also a flag')
})

test('A command without settings and JSON does not offer their flags.', () => {
  const text = commandHelp({ ...sample, settings: false, json: false })
  expect(text).not.toMatch(/--json|--config|setting/)
  expect(text).toContain('--help')
})

test('The help of serve lists every setting by flag and environment variable.', () => {
  const text = commandHelp(commands.find(({ name }) => name === 'serve')!)
  for (const setting of Object.keys(SETTINGS)) {
    expect(text).toContain(`  ${flagName(setting)} `)
    expect(text).toContain(`${environmentName(setting)}`)
  }
})

test('The help of a family lists its commands only.', () => {
  const text = familyHelp('tide', [sample])
  expect(text.split('\n')).toEqual(['Usage: masthead tide COMMAND [FLAGS]', '', '  tide report  Report the tides.'])
})

test('Names of commands are one or two words, and each stands once.', () => {
  const names = commands.map(({ name }) => name)
  expect(checker(Type.Array(Type.String({ pattern: '^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$' }))).Check(names)).toBe(
    true,
  )
  expect(new Set(names).size).toBe(names.length)
})

test('The overview and the help of each command stay as they are.', () => {
  const helps = commands.map((each) => commandHelp(each))
  expectRecorded('help.txt', [overview(commands), ...helps].join('\n\n'))
})
