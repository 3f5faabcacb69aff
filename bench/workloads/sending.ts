import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { readyToSend } from '../../test/support/campaigns.ts'
import { withDatabase } from '../../test/support/lone-project.ts'
import type { Bench, Row, Workload } from '../bench.ts'
import { figuresOf, inTurn, megabytes, type Side, type Timed } from '../measure.ts'
import { nodeScript, program, runScript, runTimed, startSink } from '../peers/processes.ts'
import { type Own, startOwn } from './plans.ts'

/** A campaign to smtp-sink beside nodemailer's pool on Node, which sends the same letter, and smtp-source. */
const CONNECTIONS = 32
const LETTER_BYTES = 9_500
const MANY = 1_000_000

const paragraph = (n: number): string =>
  `<p>Dear {{ contact.first_name }}, <a href="https://harbour.example/tide/${n}">the tide</a> waits for nobody` +
  `${', and neither does the harbour master'.repeat(17)}.</p>`
const LETTER = {
  version: 1,
  settings: {},
  blocks: [
    { id: 'greeting', type: 'heading', props: { text: 'Hello {{ contact.first_name }}', level: 1 } },
    ...Array.from({ length: 5 }, (_, n) => ({ id: `p${n}`, type: 'text', props: { html: paragraph(n) } })),
  ],
}

/** Folders that have the settings and the connection of a sender. */
const ready = new Set<string>()

export async function startSending(bench: Bench, contacts: number): Promise<{ own: Own; sink: number }> {
  const sink = await startSink(bench)
  const own = await startOwn(bench, contacts)
  if (ready.has(own.folder)) return { own, sink }
  ready.add(own.folder)
  const relay = { name: 'Sink', provider: 'smtp', host: '127.0.0.1', port: sink, secure: 'none' }
  await readyToSend({ ok: own.call }, { ...relay, max_connections: CONNECTIONS })
  return { own, sink }
}

/** Sends a campaign to the whole list; `meanwhile` is called until it is sent. */
export async function sendCampaign(own: Own, meanwhile?: () => void): Promise<Timed> {
  const { campaign } = await own.call('campaigns/create', {
    subject: 'Tides for {{ contact.first_name }}',
    editor_json: LETTER,
    audience_spec: { include: [{ type: 'list', id: own.list_id }] },
    track_opens: true,
    track_clicks: true,
  })
  const begun = performance.now()
  await own.call('campaigns/send', { campaign_id: campaign.id })
  for (;;) {
    await Bun.sleep(20)
    meanwhile?.()
    const { status } = (await own.call('campaigns/get', { campaign_id: campaign.id })).campaign
    if (status === 'sent') break
    if (status === 'paused') throw new Error('The campaign was paused.')
  }
  const seconds = (performance.now() - begun) / 1000
  const { sent } = await own.call('campaigns/stats', { campaign_id: campaign.id })
  // Workloads before this one may have added contacts.
  if (sent < own.contacts) throw new Error(`Only ${sent} of ${own.contacts} messages were sent.`)
  return { requests: sent, seconds }
}

/** Both sides of a comparison, and how it is made. */
async function senders(bench: Bench) {
  const messages = bench.quick ? 4_000 : 20_000
  const { own, sink } = await startSending(bench, messages)
  const side: Side = { pids: () => [own.pid], run: () => sendCampaign(own) }
  const { html, text } = await own.call('render', { editor_json: LETTER, contact_id: 1 })
  if (Math.abs(html.length - LETTER_BYTES) > 1_000) throw new Error(`The letter has ${html.length} characters.`)
  const named = { html: html.replaceAll('First0', '{name}'), text: text.replaceAll('First0', '{name}') }
  const letter = { port: sink, connections: CONNECTIONS, messages, subject: 'Tides for {name}', ...named }
  const script = nodeScript(bench, 'nodemailer-sender.mjs')
  return {
    own,
    ...{ sink, messages, bytes: Buffer.byteLength(html) + Buffer.byteLength(text) },
    pool: (more: object): Side => ({ pids: () => [], run: () => runScript(script, { ...letter, ...more }) }),
    async against(name: string, reference: string, other: Side, at_least: number): Promise<Row> {
      const measured = await inTurn(other, side, bench.pairs)
      return { name, reference, figures: figuresOf(measured, [{ measure: 'rate', at_least }]), ...measured }
    },
  }
}

export const sending: Workload = {
  name: 'sending',
  async *run(bench) {
    const { sink, messages, bytes, pool, against } = await senders(bench)
    yield await against('campaign to smtp-sink', 'nodemailer pool on Node', pool({}), 5)

    const source = [
      program('smtp-source'),
      '-d',
      '-s',
      String(CONNECTIONS),
      '-m',
      String(messages),
      '-l',
      String(bytes),
    ]
    const address = ['-f', 'news@harbour.example', '-t', 'reader@example.com', `127.0.0.1:${sink}`]
    const plain: Side = { pids: () => [], run: () => runTimed([...source, ...address], messages) }
    yield await against('campaign to smtp-sink, beside smtp-source', 'smtp-source', plain, 0.5)
  },
}

export const signedSending: Workload = {
  name: 'signed-sending',
  async *run(bench) {
    const { own, against, pool } = await senders(bench)
    await signBy(bench, own)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const dkim = {
      domainName: 'harbour.example',
      keySelector: 'bench',
      privateKey: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
        type: 'pkcs8',
        format: 'pem',
      }),
    }
    yield await against('campaign to smtp-sink, with DKIM', 'nodemailer pool on Node', pool({ dkim }), 5)
  },
}

/** Makes a key as the owner does, and takes its record for found. */
async function signBy(bench: Bench, own: Own): Promise<void> {
  const child = Bun.spawn([bench.executable, 'dkim', 'create', 'harbour', 'harbour.example'], {
    env: { PATH: process.env.PATH, MASTHEAD_DATA_DIR: own.folder },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error('The DKIM key was not made.')
  await withDatabase(own.folder, (store) => store.write((tx) => tx.run(sql`UPDATE dkim_keys SET verified_at = 1`)))
}

/** Memory while a campaign goes to as many people as the goal says. */
export const campaignMemory: Workload = {
  name: 'campaign-memory',
  async *run(bench) {
    const contacts = bench.quick ? 20_000 : MANY
    const { own } = await startSending(bench, contacts)
    let most = 0
    const { seconds } = await sendCampaign(own, () => (most = Math.max(most, megabytes([own.pid]))))
    yield {
      name: 'memory of a campaign to 1M',
      reference: '–',
      figures: [
        { measure: 'value', unit: 'MB', values: [most], at_most: 200 },
        { measure: 'value', unit: 'messages/s', values: [contacts / seconds] },
      ],
      own: [],
      other: [],
      ...(contacts === MANY ? {} : { note: `${contacts} recipients` }),
    }
  },
}
