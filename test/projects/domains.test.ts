import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { endpoint } from '../../src/http/core/exchange.ts'
import { serve } from '../../src/http/core/serve.ts'
import { projectRoutes } from '../../src/http/portal/project/project.routes.ts'
import { createRateLimiter } from '../../src/operation/rate-limit.ts'
import { domainLoop } from '../../src/projects/domain-loop.ts'
import { noteLookup, proveDomain, readHostName } from '../../src/projects/domains.ts'
import { getProject, updateProject } from '../../src/projects/projects.ts'
import type { LoopContext } from '../../src/runtime.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { allRows } from '../support/audit.ts'
import { cpuOf } from '../support/cpu-time.ts'
import { messagesTo } from '../support/mailbox.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

const DAY_MS = 24 * 3_600_000

let world: SiteWorld
/** The DNS: TXT records by name. An error is its answer for every name. */
let zone: Map<string, string[]> | Error
/** Names that were looked up. */
let asked: string[]
/** What happens during a look-up. */
let meanwhile: () => Promise<void>
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  zone = new Map()
  asked = []
  meanwhile = async () => undefined
  const none = {
    domain: null,
    domain_claim: null,
    domain_proven_at: null,
    domain_checked_at: null,
    domain_lost_at: null,
  }
  await world.service.runtime.store.write((tx) => tx.update(projects).set(none))
})

const resolveTxt = async (name: string): Promise<string[][]> => {
  asked.push(name)
  await meanwhile()
  if (zone instanceof Error) throw zone
  const found = zone.get(name)
  if (!found) throw Object.assign(new Error(name), { code: 'ENODATA' })
  // The DNS answers texts in pieces.
  return found.map((text) => [text.slice(0, 7), text.slice(7)])
}

const SITE = 'harbour-news.com'
const publish = (domain = SITE, project = world.project) =>
  (zone as Map<string, string[]>).set(`_masthead.${domain}`, ['v=other', ` masthead-project=${project.public_id} `])
const withdraw = (domain = SITE) => (zone as Map<string, string[]>).delete(`_masthead.${domain}`)

/** Sets the domain of a project of the owner. */
const claim = async (domain: string | null, project = world.project) => {
  const answer = await world.as('owner', '/project/update', { project_id: project.public_id, domain })
  return { status: answer.status, ...answer.body }
}

/** Calls the route with the DNS of this file. */
async function verify(project = world.project, role: 'owner' | 'editor' = 'owner') {
  const { runtime } = world.service
  const route = projectRoutes(resolveTxt).find(({ path }) => path === '/project/domain/verify')!
  const limiter = createRateLimiter(runtime.store, () => world.clock.now())
  const request = new Request(`${world.url}/project/domain/verify`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: await world.cookie(role) },
    body: JSON.stringify({ project_id: project.public_id }),
  })
  const answer = await endpoint(
    runtime,
    serve(runtime, limiter, route),
  )({ request, params: {}, told: { route: '/x' }, server: null })
  return { status: answer.status, body: (await answer.json()) as any }
}

/** Runs the daily look-up with the DNS of this file. Answers the loops that it woke. */
async function lookUp(): Promise<string[]> {
  const woken: string[] = []
  const wake: LoopContext['wake'] = (loop) => woken.push(loop)
  const context = { ...world.service.runtime, wake, worker_id: 'test', stopping: () => false } as LoopContext
  while (await domainLoop(resolveTxt).tick(context)) {
    /* there is more to do */
  }
  return woken
}

const served = async (host: string) => (await world.fetch('/', { headers: { Host: host } })).status !== 421
const projectNow = async () => (await world.as('owner', '/project/get')).body.project

test('A domain that a member sets is served once its record is found.', async () => {
  const record = { type: 'TXT', name: `_masthead.${SITE}`, value: `masthead-project=${world.project.public_id}` }
  expect((await claim(SITE)).project).toMatchObject({
    domain: SITE,
    domain_status: 'unproven',
    domain_record: record,
  })
  expect(await served(SITE)).toBe(false)

  expect((await verify()).body).toMatchObject({ found: 'missing', project: { domain_status: 'unproven' } })
  zone = new Map([[record.name, ['masthead-project=prj_of_somebody_else']]])
  expect((await verify()).body.found).toBe('different')
  zone = new Error('SERVFAIL')
  expect((await verify()).body.found).toBe('no_answer')
  expect(await served(SITE)).toBe(false)

  zone = new Map()
  publish()
  expect(await verify()).toMatchObject({
    status: 200,
    body: { found: 'published', project: { domain: SITE, domain_status: 'proven' } },
  })
  expect(await projectNow()).not.toHaveProperty('served_domain')
  expect([await served(SITE), await served(`www.${SITE}`), await served(`news.${SITE}`)]).toEqual([true, true, false])
})

test('A domain can be claimed by several projects; the first one to prove it has it.', async () => {
  await claim(SITE)
  expect((await claim(SITE, world.other)).status).toBe(200)
  publish(SITE, world.other)
  expect((await verify(world.other)).status).toBe(200)
  zone = new Map()
  publish()
  expect(await verify()).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect((await projectNow()).domain_status).toBe('unproven')
  await claim(null)
  expect((await claim(SITE)).status).toBe(409)
  await claim(null, world.other)
  expect((await claim(SITE)).status).toBe(200)
})

test('A domain is served until another one has been proven in its place.', async () => {
  await claim(SITE)
  publish()
  await verify()
  expect((await claim('harbour.news')).project).toMatchObject({
    domain: 'harbour.news',
    domain_status: 'unproven',
    served_domain: SITE,
  })
  expect([await served(SITE), await served('harbour.news')]).toEqual([true, false])
  publish('harbour.news')
  expect((await verify()).body.project).toMatchObject({ domain: 'harbour.news', domain_status: 'proven' })
  expect([await served(SITE), await served('harbour.news')]).toEqual([false, true])
})

test('A domain is not proven by a look-up for a claim that was replaced meanwhile.', async () => {
  await claim(SITE)
  publish()
  meanwhile = async () => void (await claim('later.news'))
  expect((await verify()).body).toMatchObject({ found: 'published', project: { domain_status: 'unproven' } })
  expect([await served(SITE), await served('later.news')]).toEqual([false, false])
})

test('A domain of the command line is proven, and its record is never looked up.', async () => {
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain: SITE }).where(eq(projects.id, world.project.id)),
  )
  expect(await projectNow()).toMatchObject({ domain: SITE, domain_status: 'proven' })
  world.clock.advance(30 * DAY_MS)
  world.forgetCookies()
  await lookUp()
  expect([asked, await served(SITE)]).toEqual([[], true])
  // Setting it again changes nothing, and a change that is taken back neither.
  await claim('elsewhere.news')
  expect((await claim(SITE.toUpperCase())).project).toMatchObject({ domain: SITE, domain_status: 'proven' })
})

test('A domain is looked up only by administrators, and not where a name is reserved.', async () => {
  expect((await verify(world.project, 'editor')).status).toBe(403)
  expect(await verify()).toMatchObject({ status: 409, body: { error: 'conflict' } })
  await claim('harbour.example')
  expect((await verify()).body.found).toBe('missing')
  expect(asked).toEqual([])
})

test('A domain may be written in any script.', async () => {
  expect((await claim('München.de')).project.domain).toBe('xn--mnchen-3ya.de')
  expect(cpuOf(() => readHostName('ü.'.repeat(150_000)))).toBeLessThan(100)
  expect([readHostName('xn--a.de'), readHostName('münchen.de.'), readHostName('a\u3002de')]).toEqual([null, null, null])
})

test("A domain cannot be one of the service's own names.", async () => {
  const named = await createSiteWorld({ hosts: 'inner.news', base_url: 'http://outer.news' })
  for (const domain of ['inner.news', 'OUTER.news'])
    expect((await named.as('owner', '/project/update', { domain })).status).toBe(400)
  await named.close()
})

describe('the daily look-up', () => {
  async function proven(): Promise<void> {
    await claim(SITE)
    publish()
    await verify()
    asked = []
  }
  async function later(ms: number): Promise<string[]> {
    world.clock.advance(ms)
    world.forgetCookies()
    const woken = await lookUp()
    await world.service.drain('mail')
    return woken
  }
  const told = async (email: string) => (await messagesTo(world, email)).filter(({ text }) => text.includes(SITE))

  test('The daily look-up asks once a day, and again after an hour when the DNS gave no answer.', async () => {
    await proven()
    await later(DAY_MS - 1)
    expect(asked).toEqual([])
    await later(1)
    await lookUp()
    expect(asked).toEqual([`_masthead.${SITE}`])
    const records = zone
    zone = new Error('SERVFAIL')
    await later(DAY_MS)
    await later(3_600_000)
    await later(3_600_000)
    expect(asked).toHaveLength(4)
    zone = records
    await later(3_600_000)
    expect(await projectNow()).toMatchObject({ domain_status: 'proven' })
    await later(DAY_MS - 1)
    expect(asked).toHaveLength(5)
  })

  test('A domain whose record stays away for seven days ends, and the administrators are told.', async () => {
    await proven()
    const before = { owner: await told('owner@example.com'), editor: await told('editor@example.com') }
    withdraw()
    for (let day = 0; day < 7; day++) {
      const woken = await later(DAY_MS)
      expect([day, await served(SITE), (await projectNow()).domain_status]).toEqual([day, true, 'lost'])
      expect(woken).toEqual(day === 0 ? ['mail'] : [])
    }
    expect(await later(DAY_MS)).toEqual(['mail'])
    expect([await served(SITE), (await projectNow()).domain_status]).toEqual([false, 'unproven'])
    for (const email of ['owner@example.com', 'administrator@example.com']) {
      const messages = (await told(email)).slice(before.owner.length)
      expect(messages.map(({ subject }) => subject)).toEqual([
        'The record of your domain is missing',
        'Your domain is not served any more',
      ])
      const value = `masthead-project=${world.project.public_id}`
      const record = `Publish this TXT record: _masthead.${SITE} with the value ${value}`
      expect(messages[0]!.text).toContain(`${record}.\n`)
      expect(messages[0]!.text).toContain('It is served for seven more days.')
      expect(messages[1]!.text).toContain(`${record}, and verify the domain again.\n`)
      expect(messages[1]!.text).toContain('so its pages are not served there any more.')
    }
    expect(await told('editor@example.com')).toEqual(before.editor)
    // Somebody else may have it now.
    publish(SITE, world.other)
    await claim(SITE, world.other)
    expect((await verify(world.other)).status).toBe(200)
  })

  test('The daily look-up counts the seven days anew after the record was found again.', async () => {
    await proven()
    withdraw()
    await later(DAY_MS)
    await later(5 * DAY_MS)
    publish()
    await later(DAY_MS)
    expect((await projectNow()).domain_status).toBe('proven')
    withdraw()
    await later(DAY_MS)
    await later(5 * DAY_MS)
    expect(await served(SITE)).toBe(true)
  })

  test('The daily look-up is not needed when somebody verifies a lost domain.', async () => {
    await proven()
    withdraw()
    await later(DAY_MS)
    expect((await verify()).body).toMatchObject({ found: 'missing', project: { domain_status: 'lost' } })
    publish()
    expect((await verify()).body).toMatchObject({ found: 'published', project: { domain_status: 'proven' } })
  })

  test('The daily look-up is a loop of the service, which leaves an audit row of a domain that ends.', async () => {
    const proof = { domain: 'harbour.example', domain_proven_at: 0, domain_checked_at: 0 }
    const { store } = world.service.runtime
    await store.write((tx) => tx.update(projects).set(proof).where(eq(projects.id, world.project.id)))
    await world.service.drain('domains')
    expect(await projectNow()).toMatchObject({ domain: 'harbour.example', domain_status: 'lost' })
    world.clock.advance(7 * DAY_MS)
    world.forgetCookies()
    await world.service.drain('domains')
    expect(await projectNow()).toMatchObject({ domain: 'harbour.example', domain_status: 'unproven' })
    const ended = (await allRows(world)).filter(({ action }) => action === 'domain-end')
    const { id, public_id } = world.project
    const at = world.clock.now()
    expect(ended).toMatchObject([{ at, actor: 'service', target: `project:${public_id}`, project_id: id }])
  })

  test('The daily look-up finds every domain, however many there are.', async () => {
    const { store } = world.service.runtime
    await store.write(async (tx) => {
      for (let nth = 0; nth < 45; nth++)
        await tx.insert(projects).values({
          public_id: `prj_many_${nth}`,
          name: 'x',
          slug: `many-${nth}`,
          domain: `many-${nth}.news`,
          domain_proven_at: 0,
          domain_checked_at: 0,
          created_at: 0,
          updated_at: 0,
        })
    })
    await lookUp()
    expect(new Set(asked).size).toBe(45)
    expect(asked).toHaveLength(45)
  })
})

describe('what is stored of a domain', () => {
  let made = 0
  const stored = () => newProject({ slug: `stored-${++made}` })
  const read = async (id: ProjectId) => {
    const { domain, domain_claim, domain_proven_at, domain_checked_at, domain_lost_at } = await getProject(
      (await sharedStore()).db,
      id,
    )
    return [domain, domain_claim, domain_proven_at, domain_checked_at, domain_lost_at]
  }
  const set = (id: ProjectId, domain: string | null, is_proven = false) =>
    write((tx) => updateProject(tx, id, { domain, is_proven }, NOW))
  const look = (id: ProjectId, domain: string, found: 'published' | 'missing' | 'different', now: number) =>
    write((tx) => noteLookup(tx, { id, domain }, found, now))

  test('A claim waits beside what is served, and the word of the operator replaces both.', async () => {
    const id = await stored()
    await set(id, 'One.stored.example')
    expect(await read(id)).toEqual([null, 'one.stored.example', null, null, null])
    await write((tx) => proveDomain(tx, id, 'other.stored.example', NOW))
    expect((await read(id))[0]).toBeNull()
    await write((tx) => proveDomain(tx, id, 'one.stored.example', NOW))
    expect(await read(id)).toEqual(['one.stored.example', null, NOW, NOW, null])
    await set(id, 'two.stored.example')
    expect((await read(id)).slice(0, 2)).toEqual(['one.stored.example', 'two.stored.example'])
    await set(id, 'ONE.stored.example')
    expect(await read(id)).toEqual(['one.stored.example', null, NOW, NOW, null])
    await set(id, 'two.stored.example')
    await set(id, 'three.stored.example', true)
    expect(await read(id)).toEqual(['three.stored.example', null, null, null, null])
    await set(id, null)
    expect(await read(id)).toEqual([null, null, null, null, null])
  })

  test('A record is lost once, for seven days, and the domain is then claimed again.', async () => {
    const id = await stored()
    await set(id, 'lost.stored.example')
    await write((tx) => proveDomain(tx, id, 'lost.stored.example', NOW))
    const missing = (days: number) => look(id, 'lost.stored.example', 'missing', NOW + days * DAY_MS)
    expect([await missing(1), await look(id, 'lost.stored.example', 'different', NOW + 2 * DAY_MS)]).toEqual([
      'lost',
      null,
    ])
    expect((await read(id)).slice(3)).toEqual([NOW + 2 * DAY_MS, NOW + DAY_MS])
    expect(await look(id, 'lost.stored.example', 'published', NOW + 3 * DAY_MS)).toBeNull()
    expect((await read(id))[4]).toBeNull()
    expect([await missing(4), await missing(10.999), await missing(11)]).toEqual(['lost', null, 'ended'])
    expect(await read(id)).toEqual([null, 'lost.stored.example', null, NOW + 11 * DAY_MS, null])
    expect(await missing(12)).toBeNull()
  })

  test('A domain that ends leaves a claim that waits beside it as it is.', async () => {
    const id = await stored()
    await set(id, 'ending.stored.example')
    await write((tx) => proveDomain(tx, id, 'ending.stored.example', NOW))
    await set(id, 'waiting.stored.example')
    for (const days of [0, 7]) await look(id, 'ending.stored.example', 'missing', NOW + days * DAY_MS)
    expect((await read(id)).slice(0, 2)).toEqual([null, 'waiting.stored.example'])
  })

  test('A look-up for a domain that was replaced meanwhile, or is not proven, changes nothing.', async () => {
    const id = await stored()
    await set(id, 'new.stored.example')
    await write((tx) => proveDomain(tx, id, 'new.stored.example', NOW))
    const before = await read(id)
    expect(await look(id, 'old.stored.example', 'missing', NOW + DAY_MS)).toBeNull()
    expect(await read(id)).toEqual(before)
    await set(id, 'operator.stored.example', true)
    expect(await look(id, 'operator.stored.example', 'missing', NOW + DAY_MS)).toBeNull()
    expect((await read(id)).slice(0, 4)).toEqual(['operator.stored.example', null, null, null])
  })

  test('A domain that another project has proven is not claimed, and is proven once.', async () => {
    const [first, second] = [await stored(), await stored()]
    for (const id of [first, second]) await set(id, 'both.stored.example')
    await write((tx) => proveDomain(tx, first, 'both.stored.example', NOW))
    const prove = write((tx) => proveDomain(tx, second, 'both.stored.example', NOW))
    await expect(prove).rejects.toMatchObject({ code: 'CONFLICT', details: [{ path: '/domain' }] })
    await expect(set(await stored(), 'both.stored.example')).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})
