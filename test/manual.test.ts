import { beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../src/cli/commands.ts'
import { scratchFolder } from './support/folder.ts'
import { mastheadHere } from './cli/masthead.ts'

/** The commands of docs/operations.md, in their order, against a data folder as the manual speaks of it. */
const MANUAL = readFileSync(join(import.meta.dir, '../docs/operations.md'), 'utf8')
const COMMANDS = [...MANUAL.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
  block!
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/#.*/, '')
        .replace(/^sudo /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== ''),
)

/** Programs of which the manual shows commands that do not run here, and why. */
const ELSEWHERE: Record<string, string> = {
  'sh install.sh': 'it installs on the machine: test/release.test.ts and bench/drills/install.sh',
  apt: 'it installs on the machine: bench/drills/install.sh',
  systemctl: 'it needs systemd: bench/drills/install.sh',
  podman: 'it needs an image: bench/drills/image.sh',
  docker: 'it needs images from a registry',
  chown: 'there is no user of the service',
  rsync: 'it needs another machine',
  scp: 'it needs another machine',
  'masthead-service serve': 'it runs until it is stopped: test/cli/serve.test.ts',
  'masthead-service ready': 'it needs a running service: test/cli/serve.test.ts',
}
/** Programs of the system that run here as they stand. */
const SYSTEM = new Set(['install', 'cp', 'rm'])

/** What commands take beside the flags of their own. */
const COMMON_FLAGS = new Set(['json', 'config', 'help', 'data-dir'])

const scratch = scratchFolder()
const service = join(scratch, 'var/lib/masthead')
const run = (...args: string[]) => mastheadHere(service, args)

function elsewhere(command: string): boolean {
  return Object.keys(ELSEWHERE).some((beginning) => command.startsWith(`${beginning} `) || command === beginning)
}

/** What is left when the machine is lost: a backup, the key and the facts, on another one. */
function keepElsewhere(backup: string): void {
  cpSync(backup, join(service, '2026-11-28.db'))
  for (const name of ['facts', 'secret.key'])
    cpSync(join(service, 'data', name), join(service, name), { recursive: true })
}

beforeAll(async () => {
  mkdirSync(join(service, 'data'), { recursive: true, mode: 0o700 })
  writeFileSync(join(service, 'masthead.toml'), `data_dir = "${service}/data"\nport = 0\n`)
  const ada = ['--email', 'ada@harbour.example', '--password', 'a long password']
  expect(await run('user', 'create', ...ada)).toMatchObject({ code: 0 })
  const project = ['--name', 'Harbour News', '--slug', 'harbour', '--owner', 'ada@harbour.example']
  expect(await run('project', 'create', ...project)).toMatchObject({ code: 0 })
})

test('Each command of the manual that can run on a data folder does what it says.', async () => {
  const failed: string[] = []
  const ran = new Set<string>()
  let backup = ''
  for (const command of COMMANDS) {
    const here = command.replaceAll('/var/lib/masthead', service)
    const [program = '', ...args] = here.split(' ')
    if (elsewhere(command)) continue
    // The same again, with another file, would show nothing new.
    const kind = command.replace(/ \/\S+/g, '')
    if (ran.has(kind) && program === 'masthead-service') {
      if (args[0] === 'backup') cpSync(backup, args[1]!)
      continue
    }
    ran.add(kind)
    if (program === 'masthead-service') {
      const { code, stdout, stderr } = await run(...args)
      if (code !== 0) failed.push(`${command}: ${stderr}${stdout}`)
      if (args[0] === 'backup') backup = args[1]!
    } else if (SYSTEM.has(program) && args.every((arg) => !arg.startsWith('/') || arg.startsWith(scratch))) {
      if (program === 'rm') keepElsewhere(backup)
      const { success, stderr } = Bun.spawnSync([program, ...args], { cwd: service })
      if (!success) failed.push(`${command}: ${stderr}`)
    } else failed.push(`${command}: the test does not know ${program}`)
  }
  expect(failed).toEqual([])
  expect(ran.size).toBeGreaterThan(10)
})

test('Each command of masthead that the manual names exists, with its flags.', () => {
  const named = [
    ...MANUAL.matchAll(/`(?:sudo )?masthead(?:-service)? ([a-z][^`]*)`|^(?:sudo )?masthead-service (.*)$/gm),
  ]
    .map(([, inText, inBlock]) => (inText ?? inBlock!).replace(/#.*/, '').split(/\s+/).filter(Boolean))
    .filter(([first]) => first !== 'help')
  const wrong = named.filter((words) => {
    const command = commands.find(({ name }) => name.split(' ').every((word, index) => word === words[index]))
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
    return !command || flags.some((flag) => !(flag in command.flags) && !COMMON_FLAGS.has(flag))
  })
  expect(wrong).toEqual([])
  expect(named.length).toBeGreaterThan(20)
})

test('The manual says of no program that it runs elsewhere without using it.', () => {
  expect(Object.keys(ELSEWHERE).filter((name) => !COMMANDS.some((command) => command.startsWith(name)))).toEqual([])
})
