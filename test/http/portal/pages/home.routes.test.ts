import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createWorld, type World } from '../../../support/world.ts'
import { signIn } from '../../signed-in.ts'

let world: World
const cookies: Record<string, string> = {}
beforeEach(async () => {
  world = await createWorld()
  for (const person of ['owner', 'editor', 'outsider']) cookies[person] = await signIn(world, person)
})
afterEach(() => world.close())

const open = async (path: string, person: string, init: RequestInit = {}) => {
  const headers = { cookie: cookies[person]!, Origin: world.url }
  const answer = await world.fetch(path, { headers, ...init })
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() }
}
const make = (person: string, name: string) =>
  open('/portal/projects', person, { method: 'POST', body: new URLSearchParams({ name }) })

test('A user with one project and nothing to decide begins on its first page; others see what they have.', async () => {
  expect(await open('/portal/', 'editor')).toMatchObject({ status: 303, to: '/portal/projects/harbour-news' })
  const stayed = await open('/portal/?all', 'editor')
  expect([stayed.status, stayed.text.includes('href="/portal/projects/harbour-news">Harbour News</a>')]).toEqual([
    200,
    true,
  ])
  const both = (await open('/portal/', 'owner')).text
  for (const part of ['Harbour News', 'Mountain Post', '>Owner</td>', 'href="/general/sandbox/mailbox"'])
    expect(both).toContain(part)
  const none = await open('/portal/?all', 'outsider')
  expect([none.status, none.text.includes('You are not a member of any project yet.')]).toEqual([200, true])
})

test('Without a project one begins with the reviews, with the only app, or before the doors.', async () => {
  const { store } = world.service.runtime
  const make = async () => {
    const headers = { cookie: cookies.outsider!, 'Content-Type': 'application/json', Origin: world.url }
    const body = JSON.stringify({ displayName: 'Tides', redirect_uris: ['https://a.example/'], scopes: ['profile'] })
    const made = await world.fetch('/user/developer/apps', { method: 'POST', headers, body })
    return ((await made.json()) as { app: { id: string } }).app.id
  }
  const doors = (await open('/portal/?all', 'outsider')).text
  for (const [part, is] of [
    ['href="/portal/developer"><strong>Build an app', true],
    ['href="#new-project"><strong>Make a site or a newsletter', true],
    ['Look after the service', false],
  ] as const)
    expect([part, doors.includes(part)]).toEqual([part, is])
  expect((await open('/portal/', 'outsider')).to).toBe(`/portal/developer/apps/${world.app_id}`)
  const app = await make()
  expect((await open('/portal/', 'outsider')).text).toContain(`href="/portal/developer/apps/${app}">Tides</a>`)
  await store.write((tx) => tx.script(`UPDATE users SET admin = 1 WHERE id = '${world.users.outsider}'`))
  expect((await open('/portal/', 'outsider')).to).toBe('/portal/operator/reviews')
  expect((await open('/portal/?all', 'outsider')).text).toContain('Look after the service')
})

test('An invitation keeps its person on the start page, until it is taken there.', async () => {
  const invited = { project_id: world.other.public_id, email: 'editor@example.com', role: 'member' }
  await world.fetch('/project/invitations/create', {
    method: 'POST',
    headers: { cookie: cookies.owner!, 'Content-Type': 'application/json' },
    body: JSON.stringify(invited),
  })
  const page = await open('/portal/', 'editor')
  expect(page.text).toContain('<p>owner invites you to <strong>Mountain Post</strong>, as a member of the project.</p>')
  const id = /name="id" value="(inv_\w+)"/.exec(page.text)![1]!
  const taken = await open('/portal/invitation', 'editor', { method: 'POST', body: new URLSearchParams({ id }) })
  expect([taken.status, taken.to]).toEqual([303, '/portal/projects/mountain-post'])
  expect((await open('/portal/', 'editor')).text).toContain('>Member</td>')
})

test('A project is made by its name, and what was typed stays where it is refused.', async () => {
  expect(await make('outsider', ' The Pier ')).toMatchObject({ status: 303, to: '/portal/projects/the-pier' })
  const refused = await make('outsider', ' ')
  expect([refused.status, refused.text.includes('id="name-flaw">A name is one line of 1 to 100 characters.')]).toEqual([
    400,
    true,
  ])
  const limits = world.service.runtime.config as { projects_per_user: number }
  const usual = limits.projects_per_user
  limits.projects_per_user = 1
  const full = await make('outsider', 'Second')
  limits.projects_per_user = usual
  expect(full.status).toBe(409)
  expect(full.text).toMatch(/name="name"[^>]* value="Second"[^>]* aria-invalid="true"/)
  expect(full.text).toContain('id="name-flaw">A user can own at most 1 projects.')
})

test('The login page sends away whoever is signed in, unless the password is asked for again.', async () => {
  const back = 'return=%2Fportal%2Faccount'
  expect(await open(`/portal/login?${back}`, 'owner')).toMatchObject({ status: 303, to: '/portal/account' })
  const asked = await open(`/portal/login?${back}&prompt=login`, 'owner')
  expect([asked.status, asked.text.includes('name="return" value="/portal/account"')]).toEqual([200, true])
  const out = await open('/portal/logout', 'owner', {
    method: 'POST',
    body: new URLSearchParams({ return: '/portal/a?b' }),
  })
  expect(out).toMatchObject({ status: 303, to: '/portal/login?return=%2Fportal%2Fa%3Fb' })
  expect((await open('/portal/', 'owner')).to).toStartWith('/portal/login?return=')
})
