import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOk, makeLoneProject, UNLIMITED } from '../test/support/lone-project.ts'
import { program } from '../test/support/program.ts'
import { startServiceProcess } from '../test/support/service-process.ts'

/**
 * Memory of the import of a large file (Linux): the highest resident set of the process, and its own memory without the
 * pages of its program file. Once by upload to a running service, once by the command line.
 * `bun bench/import-memory.ts [ROWS] [upload|command]`; TESTED_EXECUTABLE names a compiled program.
 */
const ROWS = Number(process.argv[2] ?? 2_000_000)
const only = process.argv[3]
const PART_BYTES = 4 * 1024 * 1024
const SAMPLE_MS = 50
const LINES_AT_ONCE = 10_000

const root = mkdtempSync(join(tmpdir(), 'masthead-import-memory-'))
const csv = join(root, 'people.csv')
writeCsv()

function writeCsv(): void {
  const file = openSync(csv, 'w')
  writeSync(file, 'email,first_name,last_name,country,plan\n')
  for (let from = 0; from < ROWS; from += LINES_AT_ONCE) {
    let text = ''
    for (let n = from; n < Math.min(ROWS, from + LINES_AT_ONCE); n++)
      text += `p${n}@example.com,First${n},Last${n},${n % 7 ? 'uk' : 'fr'},${n % 3 ? 'free' : 'pro'}\n`
    writeSync(file, text)
  }
  closeSync(file)
}

interface Memory {
  rss: number
  own: number
}

/** Watches a process: the highest values of each phase, in MB (10^6 bytes). */
function watch(pid: number) {
  const phases = new Map<string, Memory>()
  let phase = 'at rest'
  const read = (name: string, status: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6
  const sample = () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    if (!status.includes('VmRSS')) return
    const before = phases.get(phase) ?? { rss: 0, own: 0 }
    phases.set(phase, {
      rss: Math.max(before.rss, read('VmRSS', status)),
      own: Math.max(before.own, read('RssAnon', status)),
    })
  }
  sample()
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    enter(next: string) {
      sample()
      phase = next
    },
    highest(): number {
      return read('VmHWM', readFileSync(`/proc/${pid}/status`, 'utf8'))
    },
    report(how: string, highest: number): string {
      clearInterval(timer)
      const parts = [...phases].map(([name, { rss, own }]) => `${name} ${Math.round(rss)} (own ${Math.round(own)})`)
      const most = highest || Math.max(...[...phases.values()].map(({ rss }) => rss))
      return `${how}, ${ROWS} rows: at most ${Math.round(most)} MB resident (goal 200); ${parts.join(', ')}`
    },
  }
}

async function byUpload(): Promise<string> {
  const folder = mkdtempSync(join(root, 'upload-'))
  const { key, cookie, public_id } = await makeLoneProject(folder)
  const service = await startServiceProcess(folder, UNLIMITED)
  const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, key, operation, body)
  const { list } = await call('lists/create', { name: 'News' })
  for (const field of ['country', 'plan'])
    await call('custom-fields/create', { key: field, label: field, type: 'text' })
  const send = async (path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: service.url, ...headers },
      body,
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { import: { id: number } }
  }
  const memory = watch(service.child.pid)
  await Bun.sleep(2_000)
  memory.enter('upload')
  const total = statSync(csv).size
  const file = openSync(csv, 'r')
  let import_id: number | undefined
  for (let from = 0; from < total; from += PART_BYTES) {
    const part = new Uint8Array(Math.min(PART_BYTES, total - from))
    readSync(file, part, 0, part.length, from)
    const query = new URLSearchParams({ project_id: public_id, filename: 'people.csv' })
    if (import_id !== undefined) query.set('import_id', String(import_id))
    const range = `bytes ${from}-${from + part.length - 1}/${total}`
    const headers = { 'Content-Type': 'text/csv', 'Content-Range': range }
    import_id = (await send(`/project/imports/upload?${query}`, headers, part)).import.id
  }
  closeSync(file)
  memory.enter('dry-run')
  const reading = {
    mapping: { 0: 'email', 1: 'first_name', 2: 'last_name', 3: 'custom.country', 4: 'custom.plan' },
    options: { list_ids: [list.id], consent_confirmed: true, consent_text: 'Signed up at the fair' },
  }
  const asked = JSON.stringify({ project_id: public_id, import_id, ...reading })
  await send('/project/imports/examine', { 'Content-Type': 'application/json' }, asked)
  const until = async (wanted: string) => {
    for (;;) {
      const found = (await call('imports/get', { import_id })).import
      if (found.status === wanted) return found
      if (found.status === 'failed') throw new Error('The import failed.')
      await Bun.sleep(500)
    }
  }
  await until('validated')
  memory.enter('commit')
  await call('imports/commit', { import_id })
  const { counters } = await until('completed')
  if (counters.created !== ROWS) throw new Error(`Only ${counters.created} were created.`)
  const report = memory.report('upload', memory.highest())
  await service.stop()
  rmSync(folder, { recursive: true })
  return report
}

async function byCommand(): Promise<string> {
  const folder = mkdtempSync(join(root, 'command-'))
  const { key } = await makeLoneProject(folder)
  const service = await startServiceProcess(folder, UNLIMITED)
  await callOk(service.url, key, 'lists/create', { name: 'News' })
  for (const field of ['country', 'plan'])
    await callOk(service.url, key, 'custom-fields/create', { key: field, label: field, type: 'text' })
  await service.stop()
  const flags = ['--list', 'News', '--consent-confirmed', '--consent-text', 'Signed up at the fair', '--json']
  const map = 'email=email,first_name=first_name,last_name=last_name,country=custom.country,plan=custom.plan'
  const child = Bun.spawn([...program, 'contacts', 'import', 'harbour', csv, '--map', map, ...flags], {
    env: { PATH: process.env.PATH, MASTHEAD_DATA_DIR: folder },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const memory = watch(child.pid)
  memory.enter('import')
  const text = await new Response(child.stdout).text()
  await child.exited
  const { counters } = JSON.parse(text).import
  if (counters.created !== ROWS) throw new Error(`Only ${counters.created} were created.`)
  rmSync(folder, { recursive: true })
  return memory.report('command line', 0)
}

try {
  if (only !== 'command') console.log(await byUpload())
  if (only !== 'upload') console.log(await byCommand())
} finally {
  rmSync(root, { recursive: true, force: true })
}
process.exit(0)
