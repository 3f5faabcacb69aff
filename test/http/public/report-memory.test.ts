import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { program } from '../../support/program.ts'

const BYTES = 9_900_000
const HEAD = 'From: a@b.example\r\nContent-Type: multipart/report; boundary=a\r\n\r\n'
const STATUS = '--a\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nAction: failed\r\n'
const RETURNED = `${HEAD}${STATUS}--a\r\nContent-Type: message/rfc822\r\n`
const nested = (level: number) => `--b${level}\r\nContent-Type: multipart/mixed; boundary=b${level + 1}\r\n\r\n`

/** The beginning of a message, and what fills it. */
const SHAPES: [begin: string, filler: string][] = [
  [`${RETURNED}\r\n`, `${'x'.repeat(76)}\r\n`],
  [`${RETURNED}\r\n`, 'x'],
  [`${RETURNED}Content-Transfer-Encoding: base64\r\n\r\n`, 'U3ViamVjdDogeA0K'],
  ['From: a@b.example\r\n', `X-Header: ${'v'.repeat(87)}\r\n`],
  [HEAD + STATUS, '--a\r\nContent-Type: text/plain\r\n\r\nx\r\n'],
  [
    `Content-Type: multipart/mixed; boundary=b0\r\n\r\n${Array.from({ length: 9999 }, (_, n) => nested(n)).join('')}`,
    'x',
  ],
]
const message = ([begin, filler]: (typeof SHAPES)[number]) => {
  const bytes = Buffer.alloc(BYTES, filler)
  bytes.write(begin)
  return bytes
}

test.skipIf(process.platform !== 'linux')(
  'Twenty-four reports of 9.9 MB at once, in hostile shapes, take less than 60 MB.',
  async () => {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, MASTHEAD_LOG_LEVEL: 'error' }
    const command = [...program, 'fixture', '--exit-with-stdin']
    const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit', env })
    try {
      const { value } = await child.stdout.getReader().read()
      const { base_url, projects } = JSON.parse(new TextDecoder().decode(value)) as any
      const key: string = projects.main.api_keys.owner
      const call = (operation: string, body: object) =>
        fetch(`${base_url}/general/api/v1/newsletter/${operation}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: key },
          body: JSON.stringify(body),
        }).then((answer) => answer.json() as any)
      const url: string = (await call('connections/webhook-urls', { connection_id: projects.main.connection_id })).data
        .urls[0].url
      const post = (body: Buffer<ArrayBuffer> | string) => fetch(url, { method: 'POST', body })
      const megabytes = (field: string) =>
        Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1000
      await post('Subject: The code for reports is loaded\r\n\r\n')
      const messages = SHAPES.map(message)
      const before = megabytes('VmRSS')
      const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => post(messages[n % messages.length]!)))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200))
      expect(megabytes('VmHWM') - before).toBeLessThan(60)
    } finally {
      child.stdin.end()
      await child.exited
    }
  },
)
