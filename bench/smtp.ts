import { join } from 'node:path'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { createSmtpPool } from '../src/mail/smtp-pool.ts'

/**
 * The CPU time of one message of 20 kB to a relay that offers PIPELINING: our pool in turn with nodemailer's own
 * connections, in one process, with the sink in another. `bun bench/smtp.ts [messages] [rounds]`
 */
const MESSAGES = Number(process.argv[2] ?? 10_000)
const ROUNDS = Number(process.argv[3] ?? 5)
const CONNECTIONS = 10

const sink = Bun.spawn([process.execPath, join(import.meta.dir, 'fast-sink.ts')], { stdout: 'pipe', stderr: 'ignore' })
const { value } = await sink.stdout.getReader().read()
const relay = { host: '127.0.0.1', port: Number(new TextDecoder().decode(value)) }
const message = Buffer.from(
  `Subject: Tides\r\n\r\n${'The tide waits for nobody, and neither does it.\r\n'.repeat(420)}`,
)

type Send = (to: string) => Promise<unknown>

async function ours(): Promise<void> {
  const pool = createSmtpPool({ ...relay, secure: 'none', max_connections: CONNECTIONS })
  const send: Send = (to) => pool.send({ from: 'news@harbour.example', to }, message)
  await sendAll(Array.from({ length: CONNECTIONS }, () => send))
  await pool.close()
}

async function theirs(): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, () => new SMTPConnection({ ...relay, ignoreTLS: true }))
  await Promise.all(
    connections.map((connection) => new Promise<void>((resolve) => connection.connect(() => resolve()))),
  )
  const lanes = connections.map(
    (connection): Send =>
      (to) =>
        new Promise<void>((resolve, reject) =>
          connection.send({ from: 'news@harbour.example', to: [to] }, message, (error) =>
            error ? reject(error) : resolve(),
          ),
        ),
  )
  await sendAll(lanes)
  for (const connection of connections) connection.quit()
}

async function sendAll(lanes: readonly Send[]): Promise<void> {
  let next = 0
  await Promise.all(
    lanes.map(async (send) => {
      while (next < MESSAGES) await send(`reader${next++}@example.com`)
    }),
  )
}

async function cpuOf(work: () => Promise<void>): Promise<{ us: number; rate: number }> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { us: (user + system) / MESSAGES, rate: MESSAGES / ((performance.now() - begun) / 1000) }
}

await ours()
await theirs()
const rounds: { us: number; rate: number }[][] = []
for (let round = 0; round < ROUNDS; round++) {
  const pair = [await cpuOf(ours), await cpuOf(theirs)]
  rounds.push(pair)
  console.log(pair.map(({ us, rate }) => `${us.toFixed(1)} µs, ${Math.round(rate)}/s`).join('   nodemailer '))
}
const [one, other] = [0, 1].map((of) => rounds.map((pair) => pair[of]!.us).toSorted((a, b) => a - b)[ROUNDS >> 1]!)
console.log(
  `CPU of a message: ${one!.toFixed(1)} µs, nodemailer ${other!.toFixed(1)} µs, ratio ${(one! / other!).toFixed(2)}`,
)
sink.kill()
process.exit(0)
