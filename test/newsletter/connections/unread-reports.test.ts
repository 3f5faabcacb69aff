import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/clock.ts'
import { keepUnread } from '../../../src/newsletter/connections/unread-reports.ts'
import { post, signIn } from '../../http/signed-in.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let cookie: string
beforeAll(async () => {
  world = await createWorld()
  cookie = await signIn(world, 'administrator')
})
afterAll(() => world.close())

let number = 0

async function hook(provider: string, more: object = {}): Promise<{ id: number; url: string }> {
  const { connection } = await world.ok('connections/create', { name: `Quay ${++number}`, provider, ...more })
  const { urls } = await world.ok('connections/webhook-urls', { connection_id: connection.id })
  return { id: connection.id, url: urls[0].url }
}

const list = async (connection_id: number, as = cookie) => {
  const body = { project_id: world.project.public_id, connection_id }
  const answer = await post(world, '/project/connections/unread-reports', body, { cookie: as })
  return { status: answer.status, body: (await answer.json()) as any }
}

const send = async (url: string, body: string, headers: Record<string, string> = {}) =>
  (await (await fetch(url, { method: 'POST', body, headers })).json()) as unknown

const dsn = (email: string) =>
  'From: mx@MX.example\r\nSubject: Undelivered\r\nContent-Type: multipart/report; boundary=b\r\n\r\n' +
  '--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n' +
  `Final-Recipient: rfc822; ${email}\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n`

test('Messages that are not understood are listed without addresses, the same once with its count.', async () => {
  const { id, url } = await hook('sandbox')
  const mail = 'From: Bo <bo@elsewhere.example>\r\nSubject: =?utf-8?q?About_ada=40example.com?= again\r\n\r\nHello Ada'
  for (let time = 0; time < 2; time += 1) expect(await send(url, mail)).toEqual({ success: true, reports: 0 })
  world.clock.advance(1)
  expect(await send(url, dsn('stranger@example.com'))).toEqual({ success: true, reports: 0 })
  await world.ok('contacts/upsert', { email: 'known@example.com', consent_text: 'Yes' })
  expect(await send(url, dsn('known@example.com'))).toEqual({ success: true, reports: 1 })
  await send(url, 'From: ada@example.com\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.')
  const last_at = new Date(world.clock.now()).toISOString()
  expect((await list(id)).body).toEqual({
    unread_reports: [
      {
        ...{ reason: 'nobody', about: 'Undelivered', media_type: 'multipart/report', sender_domain: 'mx.example' },
        ...{ bytes: dsn('stranger@example.com').length, times: 1, last_at },
      },
      {
        ...{ reason: 'no_report', about: 'About [address] again', media_type: 'text/plain' },
        ...{ sender_domain: 'elsewhere.example', bytes: mail.length, times: 2 },
        last_at: new Date(world.clock.now() - 1).toISOString(),
      },
    ],
  })
})

test('An event of a provider is listed when its name is not known, and only then.', async () => {
  const { id, url } = await hook('brevo', { webhook_secret: 'token' })
  const events = [{ event: 'opened' }, { event: 'moved', email: 'ada@example.com' }, { event: 'moved' }]
  const answer = await send(url, JSON.stringify(events), { Authorization: 'Bearer token' })
  expect(answer).toEqual({ success: true, reports: 0 })
  expect((await list(id)).body.unread_reports).toMatchObject([
    { reason: 'unknown_event', about: 'moved', media_type: '', sender_domain: '', times: 1 },
  ])
})

test('A connection keeps the newest hundred, and the cleanup removes them after thirty days.', async () => {
  const { id } = await hook('sandbox')
  const { store } = world.service.runtime
  const none = { media_type: 'text/plain', sender_domain: '' }
  for (let day = 0; day < 103; day += 1) {
    const unread = [{ reason: 'no_report' as const, about: `Letter ${day}`, ...none }]
    await keepUnread(store, id, { unread, bytes: 1 }, world.clock.now() + day)
  }
  const abouts = async () => (await list(id)).body.unread_reports.map(({ about }: { about: string }) => about)
  expect(await abouts()).toEqual(Array.from({ length: 100 }, (_, at) => `Letter ${102 - at}`))
  const stored = await store.query(`SELECT count(*) AS rows FROM unread_reports WHERE connection_id = ${id}`)
  expect(stored).toEqual([{ rows: 100 }])
  world.clock.advance(30 * DAY_MS + 101)
  cookie = await signIn(world, 'administrator')
  expect(await abouts()).toEqual(['Letter 102'])
  await world.service.drain('maintenance')
  expect(await store.query(`SELECT about FROM unread_reports WHERE connection_id = ${id}`)).toEqual([
    { about: 'Letter 102' },
  ])
})

test('The list is for administrators of the connection’s project.', async () => {
  const { id } = await hook('sandbox')
  expect((await list(id)).body).toEqual({ unread_reports: [] })
  expect((await list(id, await signIn(world, 'editor'))).status).toBe(403)
  expect((await list(999_999)).status).toBe(404)
})
