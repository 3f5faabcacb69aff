import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { translationsFor } from '../../../src/i18n/languages.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { consent_wordings, consents, contacts, lists, memberships } from '../../../src/store/tables/audience.ts'
import { deliveries, newsletter_settings } from '../../../src/store/tables/delivery.ts'
import { form_entries, site_settings } from '../../../src/store/tables/sites.ts'
import { findProject } from '../../../src/http/public/public-form.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { newProject, NOW, sharedStore, write as writeShared } from '../../support/shared-store.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

const ENTRY = '/general/project/form/entry'
const SIGNUP = '/general/newsletter/signup'

let world: SiteWorld
let list_id: number
let confirmed_list_id: number
let private_list_id: number
let archived_list_id: number
let others_list_id: number
beforeEach(async () => {
  world = await createSiteWorld()
  const list = async (name: string, more: Partial<typeof lists.$inferInsert> = {}) => {
    const row = { project_id: world.project.id, name, name_key: name, created_at: 1, updated_at: 1, ...more }
    return (
      await world.service.runtime.store.write((tx) => tx.insert(lists).values(row).returning({ id: lists.id }))
    )[0]!.id
  }
  list_id = await list('open')
  confirmed_list_id = await list('confirmed', { double_opt_in: true })
  private_list_id = await list('private', { public: false })
  archived_list_id = await list('archived', { archived_at: 1 })
  others_list_id = await list('others', { project_id: world.other.id })
  await world.ok('custom-fields/create', { key: 'age', label: 'Age', type: 'number' })
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'text' })
  await world.ok('custom-fields/create', { key: 'club', label: 'Club', type: 'boolean' })
})
afterEach(() =>
  world.service.runtime.store.write(async (tx) => {
    await tx.delete(contacts)
    await tx.delete(form_entries)
  }),
)

async function send(path: string, body: unknown, headers: Record<string, string> = {}) {
  const isForm = body instanceof URLSearchParams || body instanceof FormData
  const response = await world.fetch(path, {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null,
  }
}
const enter = (body: object, headers?: Record<string, string>) =>
  send(ENTRY, { project_id: world.project.public_id, form: 'contact', fields: { name: 'Ann' }, ...body }, headers)
const signUp = (body: object, headers?: Record<string, string>) =>
  send(
    SIGNUP,
    { project_id: world.project.public_id, email: 'ann@example.org', consent_text: 'Yes, please.', ...body },
    headers,
  )
const entries = async (query = {}) => (await world.edit('/project/form-entries/list', query)).items
const people = () => world.service.runtime.store.db.select().from(contacts)
const statuses = () =>
  world.service.runtime.store.db
    .select({ list_id: memberships.list_id, status: memberships.status })
    .from(memberships)
    .orderBy(memberships.list_id)
/** The first consent, with its text. */
const evidence = async () => {
  const [found] = await world.service.runtime.store.db
    .select({ consent: consents, text: consent_wordings.text })
    .from(consents)
    .innerJoin(consent_wordings, eq(consent_wordings.id, consents.wording_id))
    .orderBy(consents.id)
  return { ...found?.consent, text: found?.text }
}

test('An entry that a script sends is stored.', async () => {
  const { status, body, headers } = await enter({
    fields: { name: 'Ann', age: 7, agreed: true, colours: ['red', 'blue'], markup: '<script>alert(1)</script>' },
  })
  expect([status, body]).toEqual([200, { success: true }])
  expect(headers.has('set-cookie')).toBe(false)
  expect(await entries()).toEqual([
    {
      id: expect.any(Number),
      form: 'contact',
      fields: { name: 'Ann', age: 7, agreed: true, colours: ['red', 'blue'], markup: '<script>alert(1)</script>' },
      created_on: '2026-01-15T09:00:00.000Z',
    },
  ])
})

test.each(['urlencoded', 'multipart'])('An entry that an HTML form sends is stored: %s.', async (kind) => {
  const form = kind === 'multipart' ? new FormData() : new URLSearchParams()
  for (const [name, value] of [
    ['project_id', world.project.public_id],
    ['form', 'contact'],
    ['name', 'Änn & Co'],
    ['fields[message]', 'a\r\nb'],
    ['colour', 'red'],
    ['colour', 'blue'],
    ['website', ''],
    ['return_url', ''],
    ['altcha', 'a solution that nobody asked for'],
    ['__proto__', 'x'],
    ['newsletter[email]', 'ann@example.org'],
    ['newsletter[consent_text]', 'ok'],
  ] as const)
    form.append(name, value)
  const { status, text, headers } = await send(ENTRY, form)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('Your message was sent.')
  const [entry] = await entries()
  expect(Object.entries(entry.fields)).toEqual([
    ['name', 'Änn & Co'],
    ['message', 'a\nb'],
    ['colour', ['red', 'blue']],
    ['__proto__', 'x'],
  ])
  // No list was ticked.
  expect(await people()).toEqual([])
})

test('An entry of a bot gets the usual answer and has no effect.', async () => {
  const person = await enter({})
  const bot = await enter({
    website: 'https://spam.example',
    newsletter: { email: 'bot@example.org', list_ids: [list_id], consent_text: 'x' },
  })
  expect([bot.status, bot.body, [...bot.headers.keys()].sort()]).toEqual([
    person.status,
    person.body,
    [...person.headers.keys()].sort(),
  ])
  expect(await entries()).toHaveLength(1)
  expect(await people()).toEqual([])
})

test('An entry and a confirmation that a form leaves are taken up at once; a bot leaves nothing.', async () => {
  const wake = spyOn(world.service.runtime, 'wake')
  const woken = async (call: () => Promise<{ status: number }>) => {
    wake.mockClear()
    const { status } = await call()
    return [status, ...wake.mock.calls.map(([loop]) => loop)]
  }
  const opt_in = (id: number) => ({ email: 'ann@example.org', list_ids: [id], consent_text: 'Yes.' })
  expect(await woken(() => enter({}))).toEqual([200, 'forms'])
  expect(await woken(() => enter({ newsletter: opt_in(list_id) }))).toEqual([200, 'forms'])
  expect(await woken(() => enter({ newsletter: opt_in(confirmed_list_id) }))).toEqual([200, 'forms', 'delivery'])
  const other = { email: 'bo@example.org', list_ids: [confirmed_list_id] }
  expect(await woken(() => signUp(other))).toEqual([202, 'delivery'])
  expect(await woken(() => signUp({ ...other, email: 'cy@example.org', list_ids: [list_id] }))).toEqual([202])
  expect(await woken(() => enter({ website: 'https://spam.example' }))).toEqual([200])
  expect(await woken(() => enter({ form: '' }))).toEqual([400])
  wake.mockRestore()
  await world.service.runtime.store.write((tx) => tx.delete(deliveries))
})

test("An entry redirects only to the project's own domain and pages.", async () => {
  const back = async (return_url: string) =>
    (
      await send(
        ENTRY,
        new URLSearchParams({ project_id: world.project.public_id, form: 'contact', name: 'Ann', return_url }),
      )
    ).headers.get('location')
  expect(await back(`https://${DOMAIN}/thanks?a=b`)).toBe(`https://${DOMAIN}/thanks?a=b`)
  expect(await back('/thanks')).toBe(`https://${DOMAIN}/thanks`)
  expect(await back(`${world.url}/sites/harbour-news/thanks`)).toBe(`${world.url}/sites/harbour-news/thanks`)
  for (const foreign of [
    'https://evil.example/',
    '//evil.example/',
    `https://${DOMAIN}.evil.example/`,
    `https://user@${DOMAIN}/`,
    `https://${DOMAIN}:8443/`,
    'javascript:alert(1)',
    `${world.url}/user/me`,
    `${world.url}/sites/harbour-news-evil/`,
    `${world.url}/sites/harbour-news/../../portal/`,
    '\\\\evil.example',
    'https://',
  ]) {
    expect([foreign, await back(foreign)]).toEqual([foreign, null])
  }
  expect((await enter({ return_url: `https://${DOMAIN}/` })).status).toBe(200)
})

test.each([
  [{ form: '' }],
  [{ form: 'x'.repeat(101) }],
  [{ form: 'a\nb' }],
  [{ fields: { nested: { a: 1 } } }],
  [{ fields: { empty: null } }],
  [{ fields: { long: 'x'.repeat(10_001) } }],
  [{ fields: Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`f${index}`, ''])) }],
  [{ fields: { ['x'.repeat(101)]: 'a' } }],
  [{ fields: { 'a\nb': 'a' } }],
  [{ fields: { nul: 'a\0b' } }],
  [{ fields: [] }],
  [{ unknown: 1 }],
  [{ project_id: 'prj_unknown' }],
  [{ project_id: undefined }],
  [{ newsletter: { email: 'ann@example.org' } }],
  [{ newsletter: { email: 'no address', list_ids: [1], consent_text: 'x' } }],
])('An entry is refused: %j.', async (body) => {
  const { status, body: answer } = await enter(body)
  expect([status, answer.error]).toEqual([400, 'invalid_request'])
  expect(await entries()).toEqual([])
})

test('An entry that an HTML form sends is refused with a page.', async () => {
  const refused = await send(ENTRY, new URLSearchParams({ project_id: world.project.public_id, name: 'Ann' }))
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(refused.text).toContain('This was not sent')
  expect(refused.text).toContain('<header>Harbour News</header>')
  const asked = await send(ENTRY, new URLSearchParams({ project_id: world.project.public_id, name: 'Ann' }), {
    Accept: 'application/json',
  })
  expect([asked.status, asked.body.error]).toEqual([400, 'invalid_request'])
})

test('An entry that is too large, a file or of another type is refused.', async () => {
  expect(
    (
      await enter({
        fields: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 'x'.repeat(9_000)])),
      })
    ).status,
  ).toBe(413)
  const form = new FormData()
  form.append('project_id', world.project.public_id)
  form.append('form', 'contact')
  form.append('cv', new Blob(['x']), 'cv.pdf')
  expect((await send(ENTRY, form)).status).toBe(400)
  expect((await send(ENTRY, {}, { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await world.fetch(ENTRY)).status).toBe(405)
})

test('An entry is listed newest first, in pages, for one form or all.', async () => {
  for (const name of ['a', 'b', 'c']) {
    await enter({ fields: { name } })
    world.clock.advance(1000)
  }
  await enter({ form: 'other' })
  const { items, next_cursor } = await world.edit('/project/form-entries/list', { form: 'contact', limit: 2 })
  expect(items.map(({ fields }: any) => fields.name)).toEqual(['c', 'b'])
  const rest = await world.edit('/project/form-entries/list', { form: 'contact', limit: 2, cursor: next_cursor })
  expect([rest.items.map(({ fields }: any) => fields.name), rest.next_cursor]).toEqual([['a'], null])
  expect(await entries()).toHaveLength(4)
  const refused = await world.as('editor', '/project/form-entries/list', { form: 'other', cursor: next_cursor })
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request'])
})

describe('an entry with an opt-in', () => {
  const opted = (list_ids: number[], email = 'ann@example.org') =>
    enter({ newsletter: { email, list_ids, consent_text: 'Send it.' } })

  test('An entry with an opt-in subscribes and records the wording as evidence.', async () => {
    expect((await opted([list_id, confirmed_list_id])).body).toEqual({ success: true })
    expect(await statuses()).toEqual([
      { list_id, status: 'subscribed' },
      { list_id: confirmed_list_id, status: 'pending' },
    ])
    expect(await evidence()).toMatchObject({ text: 'Send it.', source: 'form' })
    await world.settle()
    // The project has no sending connection yet, so the one confirmation waits in the outbox.
    const waiting = await world.service.runtime.store.db
      .select({ kind: deliveries.kind, status: deliveries.status })
      .from(deliveries)
      .where(eq(deliveries.project_id, world.project.id))
    expect(waiting).toEqual([{ kind: 'confirmation', status: 'queued' }])
  })

  test('An opt-in of an HTML form needs a ticked list and uses the address of the form.', async () => {
    const form = new URLSearchParams({
      project_id: world.project.public_id,
      form: 'contact',
      email: 'ann@example.org',
      'newsletter[consent_text]': 'Send it.',
    })
    form.append('newsletter[list_ids]', String(list_id))
    expect((await send(ENTRY, form)).status).toBe(200)
    expect(await statuses()).toEqual([{ list_id, status: 'subscribed' }])
    expect((await entries())[0].fields).toEqual({ email: 'ann@example.org' })
  })

  test('An opt-in for a list that is not public stores nothing.', async () => {
    for (const id of [private_list_id, archived_list_id, others_list_id, 999_999]) {
      const { status, body } = await opted([list_id, id])
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    }
    expect(await entries()).toEqual([])
    expect(await people()).toEqual([])
  })
})

describe('a signup', () => {
  const same = ({ status, body, headers }: Awaited<ReturnType<typeof signUp>>) => [
    status,
    body,
    [...headers.keys()].sort(),
    headers.get('content-length'),
  ]

  test('A signup answers alike for known and unknown addresses.', async () => {
    const first = await signUp({ list_ids: [list_id] })
    expect([first.status, first.body]).toEqual([202, { success: true }])
    expect(first.headers.has('set-cookie')).toBe(false)
    expect([...first.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
    expect(same(await signUp({ list_ids: [list_id] }))).toEqual(same(first))
    await world.ok('suppressions/add', { email: 'complained@example.org', reason: 'complaint' })
    expect(same(await signUp({ email: 'complained@example.org', list_ids: [list_id] }))).toEqual(same(first))
    await world.service.runtime.store.write((tx) =>
      tx.update(projects).set({ contact_limit: 1 }).where(eq(projects.id, world.project.id)),
    )
    expect(same(await signUp({ email: 'one-too-many@example.org', list_ids: [list_id] }))).toEqual(same(first))
    await world.service.runtime.store.write((tx) =>
      tx.update(projects).set({ contact_limit: null }).where(eq(projects.id, world.project.id)),
    )
    expect((await people()).map(({ email }) => email)).not.toContain('one-too-many@example.org')
  })

  test('A signup records wording, client address and browser as evidence.', async () => {
    await signUp({ list_ids: [confirmed_list_id] }, { 'User-Agent': 'Test/1' })
    expect(await statuses()).toEqual([{ list_id: confirmed_list_id, status: 'pending' }])
    expect(await evidence()).toMatchObject({
      text: 'Yes, please.',
      source: 'signup (unverified text)',
      user_agent: 'Test/1',
      address: '127.0.0.1',
    })
  })

  test('A signup does not change the name of an existing contact.', async () => {
    await signUp({ first_name: 'Ann', custom_fields: { town: 'Port' } })
    await signUp({ first_name: 'Mallory', last_name: 'Marsh', custom_fields: { town: 'Elsewhere', age: 7 } })
    const [person] = await people()
    expect(person).toMatchObject({ first_name: 'Ann', last_name: 'Marsh', custom_fields: { town: 'Port', age: 7 } })
  })

  test('A signup does not resubscribe an unsubscribed contact.', async () => {
    await signUp({ list_ids: [list_id] })
    const [person] = await people()
    await world.ok('contacts/unsubscribe', { contact_id: person!.id })
    await signUp({ list_ids: [list_id] })
    expect(await statuses()).toEqual([{ list_id, status: 'unsubscribed' }])
  })

  test('A signup by an HTML form converts values to the types of custom fields.', async () => {
    const form = new URLSearchParams({
      project_id: world.project.public_id,
      email: ' ann@example.org ',
      first_name: 'Ann',
      last_name: '',
      'custom_fields[age]': '42',
      'custom_fields[town]': '',
      consent_text: 'ok',
      website: '',
      button: 'Go',
    })
    form.append('list_ids', String(list_id))
    form.append('list_ids', String(confirmed_list_id))
    const answer = await send(SIGNUP, form)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await people())[0]).toMatchObject({
      email: 'ann@example.org',
      first_name: 'Ann',
      custom_fields: { age: 42 },
    })
    expect(await statuses()).toHaveLength(2)
    form.append('return_url', `https://${DOMAIN}/thanks`)
    const back = await send(SIGNUP, form)
    expect([back.status, back.headers.get('location')]).toEqual([303, `https://${DOMAIN}/thanks`])
  })

  test.each([
    ['-1.5', 'on', { age: -1.5, club: true }],
    [' +7 ', 'yes', { age: 7, club: true }],
    ['0', '0', { age: 0, club: false }],
    ['1', 'no', { age: 1, club: false }],
    ['+0.50', 'true', { age: 0.5, club: true }],
    ['12', '1', { age: 12, club: true }],
    ['3', 'false', { age: 3, club: false }],
  ])('A signup by an HTML form takes %j as a number and %j as a yes or no.', async (age, club, expected) => {
    const person = { email: 'ann@example.org', consent_text: 'ok', first_name: 'Ann', last_name: 'Quay' }
    const fields = { 'custom_fields.age': age, 'custom_fields[club]': club, 'custom_fields[town]': '7', ...person }
    const form = new URLSearchParams({ project_id: world.project.public_id, ...fields })
    form.append('list_ids[]', String(list_id))
    expect((await send(SIGNUP, form)).status).toBe(200)
    const [stored] = await people()
    expect(stored).toMatchObject({ first_name: 'Ann', last_name: 'Quay', custom_fields: { ...expected, town: '7' } })
    expect(await statuses()).toEqual([{ list_id, status: 'subscribed' }])
  })

  test('A signup by an HTML form refuses what is no number and no yes or no, and asks for a wording.', async () => {
    const send_with = (fields: Record<string, string>) =>
      send(SIGNUP, new URLSearchParams({ project_id: world.project.public_id, email: 'ann@example.org', ...fields }), {
        Accept: 'application/json',
      })
    for (const [key, value] of [
      ['age', '1e3'],
      ['age', 'x7'],
      ['club', 'maybe'],
    ])
      expect((await send_with({ consent_text: 'ok', [`custom_fields[${key}]`]: value! })).status).toBe(400)
    expect((await send_with({})).body.message).toContain('consent_text: Required.')
    expect(await people()).toEqual([])
  })

  test('A signup of a bot has no effect.', async () => {
    expect((await signUp({ website: 'x', list_ids: [list_id] })).status).toBe(202)
    expect(await people()).toEqual([])
  })

  test.each([
    [{ email: 'nobody' }],
    [{ email: undefined }],
    [{ consent_text: '' }],
    [{ consent_text: undefined }],
    [{ list_ids: ['1'] }],
    [{ list_ids: [0] }],
    [{ custom_fields: { unknown: 1 } }],
    [{ custom_fields: { age: 'old' } }],
    [{ first_name: 'a\nb' }],
    [{ resubscribe: true }],
    [{ project_id: 'prj_unknown' }],
    [{ tag_ids: [1] }],
  ])('A signup is refused: %j.', async (body) => {
    const { status, body: answer } = await signUp(body)
    expect([status, answer.error]).toEqual([400, 'invalid_request'])
    expect(await people()).toEqual([])
  })

  test('A signup for a list that is not public is refused.', async () => {
    for (const id of [private_list_id, archived_list_id, others_list_id, 999_999])
      expect((await signUp({ list_ids: [id] })).status).toBe(400)
    expect(await people()).toEqual([])
  })
})

describe.each([ENTRY, SIGNUP])('%s', (path) => {
  const body = () =>
    path === ENTRY ? { form: 'contact', fields: {} } : { email: 'ann@example.org', consent_text: 'ok' }
  const from = async (origin: string, project_id = world.project.public_id) =>
    (await send(path, { project_id, ...body() }, { Origin: origin })).headers

  test("A form lets only pages on the project's own domain read the answer, without credentials.", async () => {
    for (const origin of [`https://${DOMAIN}`, `http://${DOMAIN}`, `https://www.${DOMAIN}`]) {
      const headers = await from(origin)
      expect([
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
        headers.get('vary'),
      ]).toEqual([origin, null, 'Origin'])
    }
    for (const origin of [
      'https://evil.example',
      'null',
      `https://${DOMAIN}:8443`,
      `https://www.www.${DOMAIN}`,
      `https://${DOMAIN}.evil.example`,
      'nonsense',
    ]) {
      expect([origin, (await from(origin)).get('access-control-allow-origin')]).toEqual([origin, null])
    }
    expect((await from(`https://${DOMAIN}`, world.other.public_id)).get('access-control-allow-origin')).toBeNull()
    for (const origin of [`https://${DOMAIN}`, `https://www.${DOMAIN}`]) {
      const refused = await send(path, {}, { Origin: origin })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, origin])
    }
    const stranger = await send(path, {}, { Origin: 'https://www.evil.example' })
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('A form answers preflight requests.', async () => {
    const asked = (origin: string) =>
      world.fetch(path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type',
        },
      })
    const own = await asked(`https://${DOMAIN}`)
    expect([
      own.status,
      own.headers.get('access-control-allow-origin'),
      own.headers.get('access-control-allow-methods'),
      own.headers.get('access-control-allow-headers'),
    ]).toEqual([204, `https://${DOMAIN}`, 'POST', 'Content-Type'])
    const foreign = await asked('https://evil.example')
    expect([
      foreign.status,
      foreign.headers.get('access-control-allow-origin'),
      foreign.headers.get('access-control-allow-methods'),
    ]).toEqual([204, null, null])
  })
})

test('A client address has one rate limit over all forms.', async () => {
  const narrow = await createSiteWorld({ public_requests_per_minute: 3, trusted_proxies: '127.0.0.1' })
  const call = (path: string, address: string, body: object) =>
    narrow.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ project_id: narrow.project.public_id, ...body }),
    })
  const entry = (address: string) => call(ENTRY, address, { form: 'contact', fields: {} })
  const signup = (address: string) => call(SIGNUP, address, { email: 'ann@example.org', consent_text: 'ok' })
  expect([
    (await entry('192.0.2.1')).status,
    (await signup('192.0.2.1')).status,
    (await entry('192.0.2.1')).status,
  ]).toEqual([200, 202, 200])
  const refused = await signup('192.0.2.1')
  expect([refused.status, refused.headers.get('retry-after'), ((await refused.json()) as any).error]).toEqual([
    429,
    '60',
    'rate_limited',
  ])
  const page = await narrow.fetch(SIGNUP, {
    method: 'POST',
    headers: { 'X-Forwarded-For': '192.0.2.1' },
    body: new URLSearchParams({ project_id: narrow.project.public_id }),
  })
  const [too_many] = translationsFor('en').forms.too_many
  const text = await page.text()
  expect([page.status, page.headers.get('retry-after'), text.includes(`<h1>${too_many}</h1>`)]).toEqual([
    429,
    '60',
    true,
  ])
  expect(text).toContain('<header>Harbour News</header>')
  expect((await entry('192.0.2.2')).status).toBe(200)
  narrow.clock.advance(60_000)
  expect((await entry('192.0.2.1')).status).toBe(200)
  const [count] = await narrow.service.runtime.store.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM form_entries`)
  expect(count!.n).toBe(4)
  await narrow.close()
})

test('A form has the looks and the rules of its own project, by its key or its public id.', async () => {
  const { db } = await sharedStore()
  const [own, other, plain] = [await newProject(), await newProject(), await newProject({ domain: 'plain.example' })]
  await writeShared(async (tx) => {
    const settings = (project_id: ProjectId, locale: string) => ({ project_id, locale, updated_at: 0 })
    await tx
      .insert(newsletter_settings)
      .values([settings(own, 'de'), { ...settings(other, 'fr'), brand_color: '#123' }])
    const banner = { consent_banner: true, consent_message: '', consent_accept: '', consent_decline: '' }
    const rest = { consent_privacy_url: '', consent_words: {}, proof_of_work: true, updated_at: 0 }
    await tx.insert(site_settings).values({ project_id: other, ...banner, ...rest })
  })
  const looks = async (id: ProjectId) => {
    const found = (await findProject({ db }, id))!
    expect(await findProject({ db }, found.public_id)).toEqual(found)
    return [found.id, found.locale, found.brand_color, found.proof_of_work, found.domain]
  }
  expect([await looks(own), await looks(other), await looks(plain)]).toEqual([
    [own, 'de', '', false, null],
    [other, 'fr', '#123', true, null],
    [plain, null, null, false, 'plain.example'],
  ])
  const deleted = await newProject({ deleted_at: NOW })
  expect([await findProject({ db }, deleted), await findProject({ db }, 'prj_x')]).toEqual([null, null])
})

test('A form that is stored is confirmed, also when the links below the confirmation cannot be read.', async () => {
  const { store } = world.service.runtime
  const body = new URLSearchParams({ project_id: world.project.public_id, form: 'contact', name: 'Ann' })
  await store.write((tx) => tx.run(sql`ALTER TABLE pages RENAME TO pages_away`))
  try {
    const { status, text } = await send(ENTRY, body, { Accept: 'text/html' })
    expect([status, text]).toEqual([200, expect.stringContaining('role="status"')])
  } finally {
    await store.write((tx) => tx.run(sql`ALTER TABLE pages_away RENAME TO pages`))
  }
  expect(await entries()).toHaveLength(1)
})
