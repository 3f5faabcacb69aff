import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
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
import type { AppManifest } from '../src/app-files.ts'

const checkout = join(import.meta.dir, '..')
let scratch = ''
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'masthead bin '))
})
afterAll(() => rmSync(scratch, { recursive: true }))

test('The commands are executable.', () => {
  for (const command of ['bin/start', 'bin/masthead', 'bin/test', 'bin/build', '.ci/run'])
    accessSync(join(checkout, command), constants.X_OK)
})

describe('from another folder, with settings of its own', () => {
  beforeAll(() => {
    writeFileSync(join(scratch, '.env'), 'MASTHEAD_NO_SUCH_SETTING=1\n')
    writeFileSync(join(scratch, 'bunfig.toml'), 'preload = ["./stray.ts"]\n')
    writeFileSync(join(scratch, 'stray.ts'), 'console.log("stray")\n')
  })

  test('The flag --version prints the version and nothing else.', async () => {
    expect(await run(join(checkout, 'bin/masthead'), ['--version'])).toMatchObject({
      code: 0,
      stdout: 'masthead 0.1.0 (from a checkout)\n',
    })
  })

  test('The command help prints the commands.', async () => {
    const { code, stdout } = await run(join(checkout, 'bin/masthead'), ['help'])
    expect(code).toBe(0)
    expect(stdout).toContain('serve')
    expect(stdout).not.toContain('stray')
  })

  test('A symbolic link to the command works.', async () => {
    const link = join(scratch, 'mh')
    symlinkSync(join(checkout, 'bin/masthead'), link)
    expect(await run(link, ['--version'])).toMatchObject({ code: 0, stdout: 'masthead 0.1.0 (from a checkout)\n' })
  })

  test('The command start --fixture prints one line and exits with 0 on SIGTERM.', async () => {
    const fixture = Bun.spawn([join(checkout, 'bin/start'), '--exit-with-stdin', '--fixture'], {
      cwd: scratch,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const reader = fixture.stdout.getReader()
    let printed = ''
    while (!printed.includes('\n')) printed += new TextDecoder().decode((await reader.read()).value ?? fail(printed))
    expect(JSON.parse(printed)).toHaveProperty('base_url')
    fixture.kill('SIGTERM')
    expect(await fixture.exited).toBe(0)
    expect((await reader.read()).done).toBe(true)
  })
})

test.if(process.env.TESTED_EXECUTABLE !== undefined)(
  'The executable, alone in an empty folder and with an empty environment, serves and ends with 0 on SIGTERM.',
  async () => {
    const folder = join(scratch, 'alone')
    mkdirSync(folder)
    copyFileSync(process.env.TESTED_EXECUTABLE!, join(folder, 'masthead'))
    const service = Bun.spawn(['./masthead', 'serve', '--port', '0'], {
      cwd: folder,
      env: {},
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const reader = service.stderr.getReader()
    let printed = ''
    while (!/listening url=(\S+)/.test(printed))
      printed += new TextDecoder().decode((await reader.read()).value ?? fail(printed))
    const url = /listening url=(\S+)/.exec(printed)![1]!
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const { script } = JSON.parse(readFileSync(join(checkout, 'build/app/manifest.json'), 'utf8')) as AppManifest
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(`${url}/assets/app/${script}`, { headers: { 'Accept-Encoding': coding } })
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(coding)
      expect(await answer.text()).toBe(readFileSync(join(checkout, 'build/app', script), 'utf8'))
    }
    const passkey = await fetch(`${url}/user/login/passkey/options`, { method: 'POST', headers: { Origin: url } })
    expect(await passkey.json()).toHaveProperty('options.challenge')
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['data', 'masthead'])
  },
)

/** A checkout on a machine where npm brings a Bun that tells what it was asked to do. */
describe('set-up', () => {
  const PROGRAMS = [
    ...['sh', 'cat', 'chmod', 'cksum', 'dirname', 'grep', 'ln', 'mkdir', 'readlink', 'rm', 'rmdir', 'sleep'],
    ...['sysctl', 'uname'],
  ]
  let place = ''
  let tree = ''
  let path = ''

  beforeEach(() => {
    place = mkdtempSync(join(scratch, 'set-up '))
    tree = join(place, 'a tree')
    path = join(place, 'programs')
    mkdirSync(path)
    for (const program of PROGRAMS) {
      const found = Bun.which(program)
      if (found) symlinkSync(found, join(path, program))
    }
    writeFileSync(join(path, 'fake-bun'), FAKE_BUN)
    writeFileSync(join(path, 'npm'), FAKE_NPM)
    chmodSync(join(path, 'npm'), 0o755)
    cpSync(join(checkout, 'bin'), join(tree, 'bin'), { recursive: true })
    writeFileSync(join(tree, 'package.json'), '{\n  "engines": {\n    "bun": "9.9.9"\n  }\n}\n')
    writeFileSync(join(tree, 'bun.lock'), 'one\n')
  })

  const start = (...args: string[]) => run(join(tree, 'bin/start'), args, { PATH: path, CALLS: join(place, 'calls') })
  const calls = () => readFileSync(join(place, 'calls'), 'utf8').trim().split('\n')

  test('Several starts at once install once, even after one that died.', async () => {
    mkdirSync(join(tree, '.tools'))
    symlinkSync('2147483646', join(tree, '.tools/lock')) // the highest process id is nobody's
    const answers = await Promise.all([start('a b', '--fixture'), start('--port', '1'), start()])
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(answers.map(({ stdout }) => stdout)).toEqual(['<fixture><a b>\n', '<serve><--port><1>\n', '<serve>\n'])
    expect(calls()).toEqual(['npm', 'bun install'])
  })

  test('A second start installs nothing and prints nothing.', async () => {
    await start()
    expect(await start()).toEqual({ code: 0, stdout: '<serve>\n', stderr: '' })
    expect(calls()).toHaveLength(2)
  })

  test('A changed lock file installs again, and a new version downloads its Bun.', async () => {
    await start()
    writeFileSync(join(tree, 'bun.lock'), 'two\n')
    await start()
    expect(calls().slice(2)).toEqual(['bun install'])
    writeFileSync(join(tree, 'package.json'), '{\n  "engines": {\n    "bun": "9.9.10"\n  }\n}\n')
    await start()
    expect(calls().slice(3)).toEqual(['npm', 'bun install'])
  })

  test('A start without npm and Bun names what is missing.', async () => {
    rmSync(join(path, 'npm'))
    const { code, stdout, stderr } = await start()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('needs Node with npm, or Bun 9.9.9')
  })
})

const FAKE_NPM = `#!/bin/sh
echo npm >> "$CALLS"
prefix=$3
for package do :; done
version=\${package##*@}
name=\${package%@*}
mkdir -p "$prefix/node_modules/$name/bin"
{ echo '#!/bin/sh'; echo "version=$version"; cat "\${0%/*}/fake-bun"; } > "$prefix/node_modules/$name/bin/bun"
chmod +x "$prefix/node_modules/$name/bin/bun"
`

/** Answers --version and install; anything else prints what follows the script's name. */
const FAKE_BUN = `
case $1 in
  --version) echo "$version" ;;
  install) echo bun install >> "$CALLS"; mkdir -p "$3/node_modules" ;;
  *) shift 2; case $1 in */build-app.ts) exit ;; esac; shift; for argument do printf '<%s>' "$argument"; done; echo ;;
esac
`

async function run(command: string, args: string[], env: Record<string, string | undefined> = process.env) {
  const child = Bun.spawn([command, ...args], { cwd: scratch, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr }
}

function fail(message: string): never {
  throw new Error(message)
}
