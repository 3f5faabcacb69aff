import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../test/support/campaigns.ts'
import { createWorld } from '../test/support/world.ts'

/**
 * Messages per second of a campaign (a durable row for each recipient, two merge tags, a consent check for each), in
 * turn with nodemailer's own pool with the same content and connections. `bun bench/send.ts [recipients] [rounds]`
 */
const RECIPIENTS = Number(process.argv[2] ?? 10_000)
const ROUNDS = Number(process.argv[3] ?? 3)
const CONNECTIONS = 10

const sink = Bun.spawn([process.execPath, join(import.meta.dir, 'fast-sink.ts')], { stdout: 'pipe', stderr: 'ignore' })
const { value } = await sink.stdout.getReader().read()
const port = Number(new TextDecoder().decode(value))

const paragraph = `<p>${'The tide waits for nobody, and neither does the harbour master. '.repeat(20)}</p>`
const letter = {
  ...SAMPLE_DOCUMENT,
  blocks: [
    ...SAMPLE_DOCUMENT.blocks,
    ...Array.from({ length: 4 }, (_, n) => ({ id: `p${n}`, type: 'text', props: { html: paragraph } })),
  ],
}

async function masthead(): Promise<number> {
  const world = await createWorld({ check_responses: false })
  const { list_id } = await readyToSend(world, {
    name: 'Sink',
    provider: 'smtp',
    host: '127.0.0.1',
    port,
    secure: 'none',
    max_connections: CONNECTIONS,
  })
  await manyContacts(world.service.runtime.store, world.project.id, list_id, RECIPIENTS, world.clock.now())
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides {{ contact.first_name }}',
    editor_json: letter,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
    track_opens: true,
    track_clicks: true,
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  const begun = performance.now()
  await world.service.drain('delivery')
  const rate = RECIPIENTS / ((performance.now() - begun) / 1000)
  const { sent } = await world.ok('campaigns/stats', { campaign_id: campaign.id })
  if (sent !== RECIPIENTS) throw new Error(`Only ${sent} were sent.`)
  await world.close()
  return rate
}

async function reference(): Promise<number> {
  const pool = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  })
  const html = `<html><body><h1>Hello</h1>${paragraph.repeat(4)}</body></html>`
  const count = Math.ceil(RECIPIENTS / 4)
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      pool.sendMail({
        from: 'news@harbour.example',
        to: `reader${n}@example.com`,
        subject: 'Tides',
        html,
        text: html.replace(/<[^>]+>/g, ''),
      }),
    ),
  )
  const rate = count / ((performance.now() - begun) / 1000)
  pool.close()
  return rate
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const rates: { masthead: number[]; nodemailer: number[] } = { masthead: [], nodemailer: [] }
for (let round = 0; round < ROUNDS; round++) {
  rates.nodemailer.push(await reference())
  rates.masthead.push(await masthead())
}
const [own, other] = [median(rates.masthead), median(rates.nodemailer)]
process.stdout.write(
  `masthead ${Math.round(own)}/s, nodemailer pool ${Math.round(other)}/s, ratio ${(own / other).toFixed(2)} (goal 2)\n`,
)
sink.kill()
process.exit(0)
