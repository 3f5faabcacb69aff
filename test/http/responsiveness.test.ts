import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { newId } from '../../src/ids.ts'
import { scratchFolder } from '../support/folder.ts'
import { shapes } from '../support/hostile-shapes.ts'
import { callOk, type LoneProject, makeLoneProject, UNLIMITED } from '../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

/**
 * A service in a process of its own answers `/healthz` while it handles hostile bodies.
 *
 * The measure is the CPU time of the thread that answers, from the moment a probe is sent to its answer: whatever holds
 * the probe up runs on that thread. Unlike time on the clock it does not grow when other processes load the machine. It
 * still grows where they share its caches: what takes longer than the limit is compared with a fixed piece of work.
 */
const LIMIT_MS = 50
/** This process needs about the limit to parse it, on a machine that does nothing else. */
const LIMIT_WORK = JSON.stringify('\\'.repeat(7_500_000))
/** Between two probes. What holds the next one up began at most this long before it. */
const PAUSE_MS = 2
/** The best of these tries counts: a try may compile code or collect garbage of others. */
const TRIES = 5

const folder = scratchFolder()
let project: LoneProject
let service: ServiceProcess

beforeAll(async () => {
  project = await makeLoneProject(folder)
  service = await startServiceProcess(folder, UNLIMITED)
})
afterAll(() => service?.kill())

/** The CPU time of the main thread of a process. The kernel counts in nanoseconds; the thread has the process's id. */
const cpu_ms = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
const isCounted = existsSync('/proc/self/schedstat')

function limitWork_ms(): number {
  const before = cpu_ms(process.pid)
  JSON.parse(LIMIT_WORK)
  return cpu_ms(process.pid) - before
}

/** The longest that a probe is held up while the service handles a request. */
async function longestProbe(send: () => Promise<Response>): Promise<number> {
  let isOver = false
  const request = send().finally(() => (isOver = true))
  let longest = 0
  while (!isOver) {
    const before = cpu_ms(service.child.pid)
    await (await fetch(`${service.url}/healthz`)).text()
    longest = Math.max(longest, cpu_ms(service.child.pid) - before)
    await Bun.sleep(PAUSE_MS)
  }
  expect((await request).status).toBeLessThan(500)
  return longest
}

const expectResponsive = (operation: string, body: string): Promise<void> =>
  expectQuick(() =>
    fetch(`${service.url}/general/api/v1/newsletter/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: project.key, 'Idempotency-Key': newId('req') },
      body,
    }),
  )

async function expectQuick(send: () => Promise<Response>): Promise<void> {
  let outcome = ''
  for (let tries = 0; tries < TRIES && outcome !== 'responsive'; tries++) {
    const longest = await longestProbe(send)
    outcome = longest < LIMIT_MS || longest < limitWork_ms() ? 'responsive' : `held up for ${longest} ms`
  }
  expect(outcome).toBe('responsive')
}

const csv = (text: string) => JSON.stringify({ csv: text })

test.skipIf(!isCounted).each(Object.entries(shapes))(
  'The service answers while it renders a document of %s.',
  async (_, shape) => {
    const blocks = [{ id: 'a', type: 'html', props: { html: shape(138_000) } }]
    await expectResponsive('render', JSON.stringify({ editor_json: { version: 1, settings: {}, blocks } }))
  },
)

/** To a reader of CSV, tags are text like any other. */
const plainShapes = Object.entries(shapes).filter(([, shape]) => !shape(2000).includes('<'))
test.skipIf(!isCounted).each(plainShapes)('The service answers while it reads a CSV of %s.', (_, shape) =>
  expectResponsive('imports/create', csv(shape(2_000_000))),
)

test.skipIf(!isCounted).each([
  ['a million quotes before line ends', csv('"a\n'.repeat(1_000_000))],
  ['escaped characters', `{"csv":"${'\\u0061'.repeat(5_000_000)}"}`],
  ['empty arrays', `{"csv":[${'[],'.repeat(700_000)}1]}`],
  ['arrays in arrays', `{"csv":${'['.repeat(2_000_000)}`],
  ['different keys', `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
  ['numbers', `[${'1,'.repeat(1_000_000)}1]`],
] as const)('The service answers while it reads a body of %s.', (_, body) => expectResponsive('imports/create', body))

test.skipIf(!isCounted)('The service answers while it reads files that nobody would save.', async () => {
  const upload = (path: string, type: string, body: Uint8Array<ArrayBuffer>) =>
    expectQuick(() =>
      fetch(`${service.url}${path}?project_id=${project.public_id}`, {
        method: 'POST',
        headers: { 'Content-Type': type, Cookie: project.cookie },
        body,
      }),
    )
  await upload('/project/imports/upload', 'text/csv', Buffer.alloc(8_000_000, '\xff\n', 'latin1'))
  const controls = Buffer.alloc(5_000_000, '21f90000', 'hex')
  const gif = Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'), controls, Buffer.from(';')])
  await upload('/project/files/upload', 'image/gif', gif)
})

const REPORT = 'Content-Type: multipart/report; boundary=a\r\n\r\n--a\r\nContent-Type: message/delivery-status\r\n\r\n'

/** Posts to the webhook of a new connection. */
async function webhook(provider: string, type: string) {
  const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)
  const relay = { name: provider, provider, host: '127.0.0.1', port: 2525, secure: 'none' }
  const { connection } = await call('connections/create', relay)
  const { urls } = await call('connections/webhook-urls', { connection_id: connection.id })
  const url = service.url + new URL(urls[0].url).pathname
  return (body: string) => fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body })
}

test.skipIf(!isCounted)(
  'The service answers while it reads large messages that anyone mailed to a bounce address.',
  async () => {
    const post = await webhook('smtp', 'message/rfc822')
    for (const name of ['line ends', 'header lines', 'CSV quotes before each line'])
      await expectQuick(() => post(REPORT + shapes[name]!(2_000_000)))
  },
)

test.skipIf(!isCounted)('The service answers while it reads a large report of a provider.', async () => {
  const post = await webhook('mailgun', 'application/json')
  await expectQuick(() => post('['.repeat(5_000_000)))
  await expectQuick(() => post(`{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`))
})
