import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { insertDkimKey, listDkimKeys, prepareDkimKey } from '../../../src/newsletter/connections/dkim-keys.ts'
import {
  dkimRecords,
  domainRecords,
  type Found,
  lookUpDkimKeys,
  readDomain,
  spfTerm,
  storeDkimLookup,
} from '../../../src/newsletter/connections/dkim-records.ts'
import { createWorld, type World } from '../../support/world.ts'

const DOMAIN = 'harbour.example'
let world: World
let key_id: number
beforeAll(async () => {
  world = await createWorld()
  await addKey()
  key_id = (await listDkimKeys(db(), world.project.id, DOMAIN))[0]!.id
})
afterAll(() => world.close())

const db = () => world.service.runtime.store.db
const now = () => world.clock.now()
async function addKey() {
  const { store, keys } = world.service.runtime
  const prepared = await prepareDkimKey(db(), world.project.id, { domain: DOMAIN, algorithm: 'ed25519-sha256' })
  await store.write((tx) => insertDkimKey(tx, keys, world.project.id, { ...prepared, created_at: now() }))
}
/** What the DNS says, looked up and stored. */
async function found(...texts: string[] | [Error]) {
  const resolve = async () => {
    if (texts[0] instanceof Error) throw texts[0]
    return (texts as string[]).map((text) => [text.slice(0, 10), text.slice(10)])
  }
  const lookup = await lookUpDkimKeys(db(), world.project.id, DOMAIN, resolve)
  const stored = await world.service.runtime.store.write((tx) =>
    storeDkimLookup(tx, world.project.id, { domain: DOMAIN, found: lookup, now: now() }),
  )
  return stored.map((record) => `${record.found} ${record.signs ? 'signs' : 'idle'}`)
}
const value = async () => dkimRecords(await listDkimKeys(db(), world.project.id, DOMAIN))[0]!.value

test('A domain is read in ASCII and lower case; what is no domain is refused.', () => {
  expect(readDomain(' Höfe.Example. ')).toBe('xn--hfe-sna.example')
  for (const text of ['', 'example', '192.0.2.1', 'a..example', '-a.example', `${'a.'.repeat(110)}example`])
    expect(readDomain(text)).toBeNull()
})

test('The SPF term of a relay names its provider, its host or its address.', () => {
  expect(spfTerm({ provider: 'postmark', host: 'smtp.postmarkapp.com' })).toBe('include:spf.mtasv.net')
  expect(spfTerm({ provider: 'smtp', host: 'relay.example' })).toBe('a:relay.example')
  expect(spfTerm({ provider: 'smtp', host: '192.0.2.7' })).toBe('ip4:192.0.2.7')
  expect(spfTerm({ provider: 'smtp', host: '2001:db8::7' })).toBe('ip6:2001:db8::7')
  expect(spfTerm({ provider: 'sandbox', host: '' })).toBeNull()
})

test('A key signs once its record is published, and stops when the record is gone or different.', async () => {
  const published = await value()
  expect(await found(published)).toEqual(['published signs'])
  expect(await found(new Error('The DNS is down.'))).toEqual(['no_answer signs'])
  expect(await found()).toEqual(['missing idle'])
  expect(await found('v=DKIM1; k=ed25519; p=AAAA')).toEqual(['different idle'])
  // Receivers may use any of several records.
  expect(await found(published, 'v=DKIM1; k=ed25519; p=AAAA')).toEqual(['different idle'])
  expect(await found('some other text', published)).toEqual(['published signs'])
})

test.each(['h=sha1; ', 's=tlsrpt; ', 'v=DKIM2; '])(
  'A record that says %s does not let receivers check.',
  async (tag) => {
    expect(await found(`${tag}${(await value()).replace('v=DKIM1; ', '')}`)).toEqual(['different idle'])
  },
)

test('A record that allows more than is needed is accepted.', async () => {
  expect(await found(`${await value()}; h=sha1:sha256; s=*`)).toEqual(['published signs'])
  expect(await found(`${await value()}; s=tlsrpt:email`)).toEqual(['published signs'])
  expect(await found((await value()).replace('k=ed25519', 'k=rsa'))).toEqual(['different idle'])
})

test('The look-up of a domain without keys, or of another project, is NOT_FOUND.', async () => {
  for (const [project_id, domain] of [
    [world.project.id, 'other.example'],
    [world.other.id, DOMAIN],
  ] as const) {
    const refusal = await lookUpDkimKeys(db(), project_id, domain, async () => []).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'NOT_FOUND' })
  }
})

test("Another project's look-up changes no key.", async () => {
  await found(await value())
  const missing = { domain: DOMAIN, found: new Map([[key_id, 'missing' as const]]), now: now() }
  await world.service.runtime.store.write((tx) => storeDkimLookup(tx, world.other.id, missing))
  expect((await listDkimKeys(db(), world.project.id, DOMAIN))[0]!.verified_at).toBe(now())
})

test('The records of each sender domain allow the relays that send for it.', async () => {
  const create = (body: Record<string, unknown>) => world.ok('connections/create', body)
  await create({ name: 'Any', provider: 'ses' })
  await create({ name: 'Own', provider: 'smtp', host: 'relay.example', from_domain: 'Boats.example' })
  await world.ok('settings/update', { from_email: 'news@tides.example' })
  const records = await domainRecords(db(), world.project.id)
  expect(records.map(({ domain, spf, dkim }) => [domain, spf?.value, dkim.length])).toEqual([
    ['tides.example', 'v=spf1 include:amazonses.com ~all', 0],
    ['boats.example', 'v=spf1 a:relay.example include:amazonses.com ~all', 0],
    [DOMAIN, 'v=spf1 include:amazonses.com ~all', 1],
  ])
  expect(records[0]!.dmarc).toEqual({ type: 'TXT', name: '_dmarc.tides.example', value: 'v=DMARC1; p=none' })
  expect(await domainRecords(db(), world.other.id)).toEqual([])
})

test('A look-up says nothing of a key that was made since, and changes none that was deleted since.', async () => {
  const { store } = world.service.runtime
  const set = (columns: string) =>
    store.write((tx) => tx.script(`UPDATE dkim_keys SET ${columns} WHERE id = ${key_id}`))
  const look = (state: Found) =>
    store.write((tx) =>
      storeDkimLookup(tx, world.project.id, { domain: DOMAIN, found: new Map([[key_id, state]]), now: now() }),
    )
  await addKey()
  expect((await look('published')).map(({ key }) => key.id)).toEqual([key_id])
  await set('verified_at = 5, disabled_at = 7')
  expect(await look('missing')).toEqual([])
  const [kept] = await store.db.all(sql`SELECT verified_at FROM dkim_keys WHERE id = ${key_id}`)
  expect(kept).toEqual({ verified_at: 5 })
})
