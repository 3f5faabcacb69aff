import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { deleteDkimKey, dkimKeysFor, listDkimKeys, signerOf } from '../../../src/newsletter/connections/dkim-keys.ts'
import { domainRecords, readDomain } from '../../../src/newsletter/connections/dkim-records.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { dkim_keys, type DkimAlgorithm } from '../../../src/store/tables/dkim.ts'
import { createDkimKey, verifyDkimKeys } from '../../support/dkim.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { resolve, verdictsOn, type Zone } from '../../mail/dkim-verifier.ts'
import type { ProjectId } from '../../../src/ids.ts'

let world: World
let runtime: Runtime
let main: ProjectId
beforeAll(async () => {
  world = await createWorld()
  runtime = world.service.runtime
  main = world.project.id
})

let now = START
/** Ed25519 unless the test is about RSA: a key of it is made in no time. */
const make = (domain: string, algorithm: DkimAlgorithm = 'ed25519-sha256', project_id = main) =>
  createDkimKey(runtime, project_id, { domain, algorithm }, (now += 1000))
const verify = (domain: string, zone: Zone, project_id = main) =>
  verifyDkimKeys(runtime.store, project_id, domain, (name) => resolve(zone, name), (now += 1000))
const signing = async (domain: string, project_id = main) =>
  (await dkimKeysFor(runtime.store.db, runtime.keys, project_id, domain)).map(({ selector }) => selector)
const published = async (domain: string, project_id = main): Promise<Zone> => {
  const records = (await domainRecords(runtime.store.db, project_id)).find((found) => found.domain === domain)!
  return Object.fromEntries(records.dkim.map(({ name, value }) => [name, value]))
}
const deleteKey = (key_id: number, project_id = main) =>
  runtime.store.write((tx) => deleteDkimKey(tx, project_id, key_id, (now += 1000)))

test('A key of RSA has 2048 bits, and what it signs passes once its record is published.', async () => {
  const key = await make('rsa.example', 'rsa-sha256')
  expect(Buffer.from(key.public_key, 'base64')).toHaveLength(294)
  const zone = await published('rsa.example')
  expect(zone).toEqual({ 'mh1._domainkey.rsa.example': `v=DKIM1; k=rsa; p=${key.public_key}` })
  expect(await verify('rsa.example', zone)).toMatchObject([
    { found: 'published', signs: true, key: { verified_at: now } },
  ])
  const sign = await signerOf(runtime, { provider: 'smtp', project_id: main } as Connection, 'News@RSA.example')
  const signed = await sign!(Buffer.from('From: news@rsa.example\r\n\r\nHello\r\n'))
  expect(await verdictsOn(signed!, zone, world.clock.now())).toEqual(['pass'])
})

test("A key is stored sealed, and can be decrypted with this service's secret key only.", async () => {
  await make('sealed.example')
  await verify('sealed.example', await published('sealed.example'))
  const stranger = new Keys(newMasterKey())
  await expect(dkimKeysFor(runtime.store.db, stranger, main, 'sealed.example')).rejects.toThrow('cannot be decrypted')
  const [row] = await runtime.store.db.select().from(dkim_keys).where(eq(dkim_keys.domain, 'sealed.example'))
  const plain = runtime.keys.unseal('credentials', row!.private_key_sealed!, `dkim:${main}:sealed.example:mh1`)!
  expect(plain).toStartWith('MC4CAQAwBQYDK2Vw')
  expect(JSON.stringify(row)).not.toContain(plain)
  expect(runtime.keys.unseal('credentials', row!.private_key_sealed!, `dkim:${main}:other.example:mh1`)).toBeNull()
  expect(await signing('sealed.example')).toEqual(['mh1'])
})

test('A key signs once its record was found; the newest verified key signs until it is deleted.', async () => {
  const first = await make('turn.example')
  expect(await signing('turn.example')).toEqual([])
  const old = await published('turn.example')
  await verify('turn.example', old)
  expect(await signing('turn.example')).toEqual(['mh1'])
  const second = await make('turn.example')
  expect(await verify('turn.example', old)).toMatchObject([
    { found: 'missing', signs: false },
    { found: 'published', signs: true },
  ])
  expect(await signing('turn.example')).toEqual(['mh1'])
  await verify('turn.example', await published('turn.example'))
  expect(await signing('turn.example')).toEqual(['mh2'])
  await deleteKey(second.id)
  expect(await signing('turn.example')).toEqual(['mh1'])
  await deleteKey(first.id)
  expect(await signing('turn.example')).toEqual([])
  await expect(deleteKey(first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const rows = await runtime.store.db.select().from(dkim_keys).where(eq(dkim_keys.domain, 'turn.example'))
  expect(rows.map(({ private_key_sealed }) => private_key_sealed)).toEqual([null, null])
  expect((await make('turn.example')).selector).toBe('mh3')
})

test('A key of each algorithm signs beside the other.', async () => {
  await make('both.example', 'ed25519-sha256')
  await make('both.example', 'rsa-sha256')
  await make('both.example', 'ed25519-sha256')
  const zone = await published('both.example')
  await verify('both.example', zone)
  expect(await signing('both.example')).toEqual(['mh3', 'mh2'])
  const sign = await signerOf(runtime, { provider: 'smtp', project_id: main } as Connection, 'news@both.example')
  expect(
    await verdictsOn((await sign!(Buffer.from('From: news@both.example\r\n\r\nHello')))!, zone, world.clock.now()),
  ).toEqual(['pass', 'pass'])
})

test('A message that a key cannot sign is none, and the log says why.', async () => {
  const { id } = await make('broken.example')
  await verify('broken.example', await published('broken.example'))
  await runtime.store.write((tx) => tx.update(dkim_keys).set({ algorithm: 'rsa-sha256' }).where(eq(dkim_keys.id, id)))
  const told: unknown[][] = []
  const log = { ...runtime.log, error: (...entry: unknown[]) => void told.push(entry) } as Runtime['log']
  const connection = { provider: 'smtp', project_id: main } as Connection
  const sign = await signerOf({ ...runtime, log }, connection, 'news@broken.example')
  expect(await sign!(Buffer.from('From: news@broken.example\r\n\r\nHello'))).toBeNull()
  expect(told).toMatchObject([['a message could not be signed', { project_id: main }]])
})

test('A key belongs to one project; another project has its own, under another selector.', async () => {
  const [ours, theirs] = [await make('shared.example'), await make('shared.example', 'ed25519-sha256', world.other.id)]
  expect([ours.selector, theirs.selector]).toEqual(['mh1', 'mh2'])
  await verify('shared.example', await published('shared.example'))
  expect([await signing('shared.example'), await signing('shared.example', world.other.id)]).toEqual([['mh1'], []])
  await expect(deleteKey(theirs.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await listDkimKeys(runtime.store.db, world.other.id)).toMatchObject([{ id: theirs.id }])
})

test('A key above the maximum number is refused.', async () => {
  for (let count = 0; count < 6; count += 1) await make('many.example')
  await expect(make('many.example')).rejects.toMatchObject({ code: 'INVALID_STATE' })
  const [newest] = await listDkimKeys(runtime.store.db, main, 'many.example')
  await deleteKey(newest!.id)
  expect((await make('many.example')).selector).toBe('mh7')
})

test('A key signs for relays alone: providers sign themselves.', async () => {
  await make('relay.example')
  await verify('relay.example', await published('relay.example'))
  const through = (provider: Connection['provider'], from = 'news@relay.example') =>
    signerOf(runtime, { provider, project_id: main } as Connection, from)
  expect(await through('smtp')).toBeFunction()
  expect(await through('smtp', 'news@sub.relay.example')).toBeNull()
  for (const provider of ['ses', 'postmark', 'sandbox'] as const) expect(await through(provider)).toBeNull()
})

describe('a record', () => {
  let zone: Zone
  let name: string
  let value: string
  beforeAll(async () => {
    await make('record.example')
    zone = await published('record.example')
    ;[[name, value]] = Object.entries(zone) as [[string, string]]
  })
  const found = async (records: Zone) => (await verify('record.example', records)).map((record) => record.found)

  test('A record is recognized in every notation.', async () => {
    const key = value.slice(value.indexOf('p=') + 2)
    for (const text of [
      value,
      `k=ed25519;p=${key};`,
      `v=DKIM1 ; t=y:s; h=sha1:sha256; s=email; k=ed25519; p=${key.slice(0, 20)} ${key.slice(20)}`,
    ])
      expect(await found({ [name]: text })).toEqual(['published'])
  })

  test('A record that receivers could not check a signature with counts as different.', async () => {
    for (const text of [
      value.replace(/p=./, 'p=?'),
      value.replace('k=ed25519', 'k=rsa'),
      value.replace('k=ed25519; ', ''),
      value.replace(/p=.*/, 'p='),
      `${value}; h=sha1`,
      `${value}; s=tlsrpt`,
    ])
      expect(await found({ [name]: text })).toEqual(['different'])
    expect(await found({ [name]: 'a verification text of somebody else' })).toEqual(['missing'])
    const twice = await verifyDkimKeys(
      runtime.store,
      main,
      'record.example',
      async () => [[value], [value.replace(/p=.*/, 'p=AAAA')]],
      now,
    )
    expect(twice).toMatchObject([{ found: 'different' }])
  })

  test('A record that was removed ends signing, and an unanswered look-up does not.', async () => {
    await verify('record.example', zone)
    expect(await signing('record.example')).toEqual(['mh1'])
    const silent = await verifyDkimKeys(
      runtime.store,
      main,
      'record.example',
      async () => {
        throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })
      },
      now,
    )
    expect(silent).toMatchObject([{ found: 'no_answer', signs: true }])
    expect(await signing('record.example')).toEqual(['mh1'])
    expect(await found({})).toEqual(['missing'])
    expect(await signing('record.example')).toEqual([])
  })

  test('A record is looked for only where there is a key.', async () => {
    await expect(verify('nothing.example', {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(verify('record.example', zone, world.other.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('A domain is stored in ASCII and lower case.', () => {
  const good = {
    'Example.COM': 'example.com',
    ' example.com. ': 'example.com',
    'bücher.example': 'xn--bcher-kva.example',
    'a-b.c1.example': 'a-b.c1.example',
  }
  for (const [text, domain] of Object.entries(good)) expect(readDomain(text)).toBe(domain)
  for (const text of [
    '',
    'example',
    '.example.com',
    'exa mple.com',
    'a..b',
    '-a.example',
    'news@example.com',
    '1.2.3.4',
    'example.com; p=',
    `${'a.'.repeat(120)}example`,
    '_x.example',
  ])
    expect(readDomain(text)).toBeNull()
})
