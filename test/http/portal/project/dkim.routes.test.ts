import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { dkimRoutes } from '../../../../src/http/portal/project/dkim.routes.ts'
import { endpoint } from '../../../../src/http/core/exchange.ts'
import { serve } from '../../../../src/http/core/serve.ts'
import { createRateLimiter } from '../../../../src/operation/rate-limit.ts'
import { dkim_keys } from '../../../../src/store/tables/dkim.ts'
import { createWorld, type World } from '../../../support/world.ts'
import { post, signIn } from '../../signed-in.ts'

let world: World
const cookies: Record<string, string> = {}
/** What the DNS says in this file. */
const zone: Record<string, string> = {}
/** Everything that was answered or logged. */
const said: string[] = []
const log = spyOn(process.stderr, 'write').mockImplementation((text) => {
  said.push(String(text))
  return true
})
afterAll(() => log.mockRestore())
beforeEach(async () => {
  world = await createWorld({ log_level: 'debug' })
  for (const person of ['owner', 'administrator', 'editor', 'member', 'outsider'])
    cookies[person] = await signIn(world, person)
})
afterEach(() => world.close())

interface Answered {
  status: number
  body: any
}

async function call(path: string, body: object = {}, person = 'administrator'): Promise<Answered> {
  return heard(
    await post(
      world,
      `/project/dns/${path}`,
      { project_id: world.project.public_id, ...body },
      { cookie: cookies[person]! },
    ),
  )
}

async function heard(answer: Response): Promise<Answered> {
  const text = await answer.text()
  said.push(text)
  return { status: answer.status, body: JSON.parse(text) }
}

/** As `call`, with the DNS of this file. */
async function verify(domain: string, project_id = world.project.public_id): Promise<Answered> {
  const resolveTxt = async (name: string) => {
    if (!zone[name]) throw Object.assign(new Error(name), { code: 'ENODATA' })
    return [[zone[name].slice(0, 100), zone[name].slice(100)]]
  }
  const { runtime } = world.service
  const route = dkimRoutes(resolveTxt).find(({ path }) => path === '/project/dns/verify')!
  const request = new Request(`${world.url}/project/dns/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookies.owner! },
    body: JSON.stringify({ project_id, domain }),
  })
  const handler = serve(
    runtime,
    createRateLimiter(runtime.store, () => world.clock.now()),
    route,
  )
  return heard(await endpoint(runtime, handler)({ request, params: {}, told: { route: '/x' }, server: null }))
}

const domains = async () => (await call('list')).body.domains as { domain: string; records: any[] }[]
const purposes = async () =>
  Object.fromEntries((await domains()).map(({ domain, records }) => [domain, records.map(({ purpose }) => purpose)]))

test('/project/dns lists nothing while the project sends nothing.', async () => {
  expect(await call('list')).toEqual({ status: 200, body: { domains: [] } })
})

test('/project/dns lists every sender domain with its records.', async () => {
  await world.ok('settings/update', { from_email: 'news@Harbour.example' })
  await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  expect(await purposes()).toEqual({ 'harbour.example': ['dmarc'] })
  await world.ok('connections/create', { name: 'Relay', provider: 'smtp', host: 'smtp.relay.example' })
  await world.ok('connections/create', {
    name: 'Own',
    provider: 'smtp',
    host: '192.0.2.7',
    from_domain: 'mail.harbour.example',
  })
  await world.ok('campaigns/create', {
    subject: 'Hello',
    from_email: 'ada@bücher.example',
    audience_spec: { include: [{ type: 'all' }] },
  })
  const [first, ...others] = await domains()
  expect(first).toEqual({
    domain: 'harbour.example',
    records: [
      {
        purpose: 'spf',
        type: 'TXT',
        name: 'harbour.example',
        value: 'v=spf1 a:smtp.relay.example ~all',
        hint: expect.any(String),
      },
      {
        purpose: 'dmarc',
        type: 'TXT',
        name: '_dmarc.harbour.example',
        value: 'v=DMARC1; p=none',
        hint: expect.any(String),
      },
    ],
  })
  expect(others.map(({ domain, records }) => [domain, records[0].value])).toEqual([
    ['mail.harbour.example', 'v=spf1 a:smtp.relay.example ip4:192.0.2.7 ~all'],
    ['xn--bcher-kva.example', 'v=spf1 a:smtp.relay.example ~all'],
  ])
})

/** A relay whose host stands in the SPF record of each domain. */
const relay = () => world.ok('connections/create', { name: 'Relay', provider: 'smtp', host: 'smtp.relay.example' })

test('/project/dns creates, verifies and deletes a key.', async () => {
  await relay()
  const {
    status,
    body: { record },
  } = await call('create-key', { domain: 'Harbour.example.' })
  expect([status, record]).toEqual([
    200,
    {
      purpose: 'dkim',
      type: 'TXT',
      name: 'mh1._domainkey.harbour.example',
      value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}={0,2}$/),
      key_id: expect.any(Number),
      selector: 'mh1',
      algorithm: 'rsa-sha256',
      signs: false,
      created_at: '2026-01-15T09:00:00.000Z',
      verified_at: null,
    },
  ])
  expect((await domains())[0]!.records[0]).toEqual(record)
  expect(await verify('harbour.example')).toEqual({
    status: 200,
    body: { records: [{ ...record, found: 'missing' }] },
  })
  zone[record.name] = record.value
  const seen = { ...record, signs: true, verified_at: '2026-01-15T09:00:00.000Z' }
  expect((await verify('HARBOUR.example')).body).toEqual({ records: [{ ...seen, found: 'published' }] })
  expect((await domains())[0]!.records[0]).toEqual(seen)
  expect(
    (await call('create-key', { domain: 'harbour.example', algorithm: 'ed25519-sha256' })).body.record,
  ).toMatchObject({ selector: 'mh2', value: expect.stringMatching(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/) })

  expect(await call('delete-key', { key_id: record.key_id })).toEqual({ status: 200, body: { success: true } })
  expect((await domains())[0]!.records.map(({ name }) => name)).toEqual([
    'mh2._domainkey.harbour.example',
    'harbour.example',
    '_dmarc.harbour.example',
  ])
  expect(await call('delete-key', { key_id: record.key_id })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test('/project/dns lists a domain with a key, even before it sends.', async () => {
  await relay()
  await call('create-key', { domain: 'later.example', algorithm: 'ed25519-sha256' })
  expect((await purposes())['later.example']).toEqual(['dkim', 'spf', 'dmarc'])
})

test('/project/dns/needed names the records of a connection that is still to be made.', async () => {
  await relay()
  await call('create-key', { domain: 'later.example', algorithm: 'ed25519-sha256' })
  const needed = async (body: object) =>
    (await call('needed', body)).body.records.map(({ record }: any) => record && `${record.type} ${record.name}`)
  expect(await needed({ provider: 'sendgrid', domain: 'new.example' })).toEqual([
    'TXT new.example',
    null,
    'TXT _dmarc.new.example',
  ])
  expect(await needed({ provider: 'postmark', domain: 'new.example' })).toContain('CNAME pm-bounces.new.example')
  for (const domain of ['later.example', ' Later.Example '])
    expect((await needed({ provider: 'smtp', host: 'mail.new.example', domain }))[1]).toMatch(
      /^TXT .+\._domainkey\.later\.example$/,
    )
  expect((await call('needed', { provider: 'smtp', domain: 'x' })).status).toBe(400)
})

test('/project/dns is for administrators of the project only.', async () => {
  const { key_id } = (await call('create-key', { domain: 'ours.example', algorithm: 'ed25519-sha256' })).body.record
  for (const [path, body] of [
    ['list', {}],
    ['needed', { provider: 'smtp', domain: 'x.example' }],
    ['create-key', { domain: 'x.example' }],
    ['verify', { domain: 'x.example' }],
    ['delete-key', { key_id }],
  ] as const) {
    for (const person of ['editor', 'member', 'outsider']) expect((await call(path, body, person)).status).toBe(403)
    expect((await post(world, `/project/dns/${path}`, { project_id: world.project.public_id, ...body })).status).toBe(
      401,
    )
    expect(
      (
        await post(
          world,
          `/project/dns/${path}`,
          { project_id: world.project.public_id, ...body },
          { cookie: cookies.owner!, origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403)
  }
  const elsewhere = { project_id: world.other.public_id }
  expect((await call('list', elsewhere, 'owner')).body).toEqual({ domains: [] })
  expect((await call('delete-key', { ...elsewhere, key_id }, 'owner')).status).toBe(404)
  expect((await verify('ours.example', world.other.public_id)).status).toBe(404)
})

test('/project/dns refuses a malformed domain, an unknown algorithm and an unknown key.', async () => {
  for (const body of [
    {},
    { domain: '' },
    { domain: 'harbour' },
    { domain: 'news@harbour.example' },
    { domain: 'a.example; p=x' },
    { domain: 7 },
    { domain: 'a.example', algorithm: 'rsa-sha1' },
    { domain: 'a.example', bits: 512 },
  ]) {
    expect(await call('create-key', body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  }
  for (const body of [{}, { key_id: 0 }, { key_id: 'mh1' }]) expect((await call('delete-key', body)).status).toBe(400)
  expect((await call('delete-key', { key_id: 999_999 })).status).toBe(404)
})

test('/project/dns shows the private half of a key in no response and no log.', async () => {
  await call('create-key', { domain: 'quiet.example' })
  await call('create-key', { domain: 'quiet.example', algorithm: 'ed25519-sha256' })
  world.service.runtime.log.flush()
  const text = said.join('\n')
  expect(text).toContain('route=/project/dns/create-key')
  expect(text).toContain('mh1._domainkey.quiet.example')
  const { store, keys } = world.service.runtime
  const rows = await store.db.select().from(dkim_keys)
  const open = rows.filter((row) => row.private_key_sealed !== null)
  expect(open).toHaveLength(2)
  for (const { private_key_sealed, project_id, domain, selector } of open) {
    const plain = keys.unseal('credentials', private_key_sealed!, `dkim:${project_id}:${domain}:${selector}`)!
    expect(text).not.toContain(private_key_sealed!)
    // No public key contains the end of a private key, so finding it would mean that the private key leaked.
    expect(text).not.toContain(plain.slice(-24))
  }
})
