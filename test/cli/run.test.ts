import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { commands } from '../../src/cli/commands.ts'
import { commandHelp, configurationPage, familyHelp, overview } from '../../src/cli/help.ts'
import { run } from '../../src/cli/run.ts'
import { scratchFolder } from './masthead.ts'

const before = process.cwd()
const scratch = scratchFolder()
beforeAll(() => process.chdir(scratch.path))
afterAll(() => {
  process.chdir(before)
  scratch.remove()
})

/** Runs a command line in this process: its exit code, and what it prints. */
async function ran(line: string) {
  const out = spyOn(Bun, 'write').mockResolvedValue(0)
  const err = spyOn(process.stderr, 'write').mockReturnValue(true)
  const code = await run(line.split(' ').filter(Boolean))
  const said = { code, out: out.mock.calls.map(([, text]) => String(text)), err: err.mock.calls.map(([text]) => text) }
  out.mockRestore()
  err.mockRestore()
  return said
}

const family = (first: string) =>
  familyHelp(
    first,
    commands.filter(({ name }) => name.startsWith(`${first} `)),
  )
const command = (name: string) => commandHelp(commands.find((one) => one.name === name)!)

test.each([
  ['help', overview(commands)],
  ['help --json', overview(commands)],
  ['--help', overview(commands)],
  ['-h', overview(commands)],
  ['help configuration', configurationPage()],
  ['help audit', family('audit')],
  ['audit --help', family('audit')],
  ['help audit list', command('audit list')],
  ['audit list --help', command('audit list')],
  ['help serve', command('serve')],
])('`masthead %s` prints its page.', async (line, page) => {
  expect(await ran(line)).toEqual({ code: 0, out: [`${page}\n`], err: [] })
})

test.each([
  ['', 'Missing command. See masthead help.'],
  ['audit', 'audit expects one of: list.'],
  ['audit --json', 'audit expects one of: list.'],
  ['audit lists', 'Unknown command audit lists. Did you mean audit list?'],
  ['help audit lists', 'Unknown command audit lists. Did you mean audit list?'],
  ['audits', 'Unknown command audits. Did you mean audit?'],
  ['zebra --help', 'Unknown command zebra. See masthead help.'],
  ['audit list --limit many', '--limit'],
])('`masthead %s` is wrong usage, said in one line.', async (line, sentence) => {
  const { code, out, err } = await ran(line)
  expect([code, out, err.length]).toEqual([2, [], 1])
  expect(err[0]).toStartWith(`masthead: ${sentence}`)
  expect(err[0]).toEndWith('\n')
})

test('The output of a command cannot control the terminal, and JSON keeps each character.', async () => {
  const odd = String.fromCharCode(...Array(160).keys())
  const answering = spyOn(
    commands.find(({ name }) => name === 'version')!,
    'run',
  ).mockResolvedValue({
    text: odd,
    data: { odd },
  })
  const [text, json] = [(await ran('version')).out[0]!, (await ran('version --json')).out[0]!]
  answering.mockRestore()
  const plain = odd.slice(32, 127)
  expect(text).toBe(`${' '.repeat(10)}\n${' '.repeat(21)}${plain}${' '.repeat(33)}\n`)
  expect(JSON.parse(json)).toEqual({ odd })
  expect(json.trimEnd()).toMatch(/^[ -~]+$/)
})

test('The version is one line, or one line of JSON.', async () => {
  const { code, out } = await ran('--version')
  expect([code, out]).toEqual([0, (await ran('version')).out])
  const { out: json } = await ran('version --json')
  expect(JSON.parse(json[0]!)).toMatchObject({ version: expect.any(String) })
})

test('A command that was called rightly and fails exits with 1.', async () => {
  const { code, err } = await ran('restore nowhere.db --data-dir data')
  expect([code, err.length]).toEqual([1, 1])
  expect(err[0]).toContain('nowhere.db')
})
