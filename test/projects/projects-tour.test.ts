import { afterAll, beforeAll, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  api_keys,
  invitations,
  members,
  project_usage,
  projects,
  sessions,
  USAGE_KINDS,
  users,
} from '../../src/store/tables/accounts.ts'
import { type DeveloperTour, tourOf } from '../developer/tour.ts'
import { expectRecorded } from '../support/recorded.ts'
import type { Person } from '../support/tour-requests.ts'
import { createWorld, PASSWORD, START, type World } from '../support/world.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld({ projects_per_user: 3, contacts_per_project: 4321, files_per_project: 76 })
  tour = await tourOf(world, [
    'users',
    'projects',
    'members',
    'invitations',
    'api_keys',
    'authorizations',
    'authorization_projects',
    'access_tokens',
    'app_events',
  ])
  await store().write(async (tx) => {
    for (const [at, person] of PEOPLE.entries()) {
      const user_id = world.users[person]
      await tx
        .update(users)
        .set({ last_name: `Last${5 - at}` })
        .where(eq(users.id, user_id))
      await tx
        .update(members)
        .set({ added_at: START - at * HOUR })
        .where(eq(members.user_id, user_id))
    }
  })
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PEOPLE: readonly Person[] = ['owner', 'administrator', 'editor', 'member', 'outsider']

/** Asks about the main project, or another. */
const ask = (sentence: string, by: Person | null, path: string, body: object = {}, project?: string) =>
  tour.ask(sentence, by, `POST /project/${path}`, { project_id: project ?? world.project.public_id, ...body })

/** Moves the clock. The sessions are as if they were used meanwhile. */
async function moveTo(at: number): Promise<void> {
  world.clock.advance(at - world.clock.now())
  await store().write((tx) =>
    tx.update(sessions).set({ created_at: at, last_used_at: at, expires_at: at + 1000 * DAY }),
  )
}
const store = () => world.service.runtime.store

async function confirm(by: Person): Promise<void> {
  await tour.quiet(by, 'POST /user/confirm', { password: PASSWORD })
}

test('Answers, rows and messages of projects and their people are those that are recorded.', async () => {
  await makeProjects()
  await changeProjects()
  await apiKeys()
  await usage()
  expectRecorded('platform/projects.txt', tour.text())
  await invite()
  await membership()
  await connectedApps()
  await ends()
  expectRecorded('platform/members.txt', tour.text())
})

async function makeProjects(): Promise<void> {
  tour.heading('New projects')
  const make = (sentence: string, body: object, by: Person | null = 'outsider') =>
    tour.ask(sentence, by, 'POST /project/create', body)
  await tour.ask('The projects of somebody without any.', 'outsider', 'POST /project/list', {})
  await make('Nobody.', { name: 'Mine' }, null)
  await make('Without a name.', {})
  await make('A name of blanks, a slug and a domain of other characters.', { name: '  ', slug: 'Über', domain: 'a b' })
  await make('Values of 101 and 64 characters, and a whole address.', {
    name: 'n'.repeat(101),
    slug: 's'.repeat(64),
    domain: 'https://a.example',
  })
  await make('Two lines, an empty slug, an empty domain.', { name: 'a\nb', slug: '', domain: '' })
  await make('The host of the service itself.', { name: 'Mine', domain: '127.0.0.1' })
  await make('Its name on this machine.', { name: 'Mine', domain: 'localhost' })
  await make('The slug of another.', { name: 'Mine', slug: 'harbour-news' })
  await make('A property that there is not.', { name: 'Mine', monthly_limit: 5 })
  world.clock.advance(MINUTE)
  const first = await make('With a name only, whose slug is made.', { name: '  Mountain Pôst & Søn ' })
  tour.name(first.project.id, 'prj_first')
  world.clock.advance(MINUTE)
  const second = await make('The same name: the next slug.', { name: 'Mountain Post' })
  tour.name(second.project.id, 'prj_second')
  await make('At the limits.', { name: 'n'.repeat(100), slug: 's'.repeat(63), domain: 'WWW.Shop.Example.' })
  await make('A fourth is one too many.', { name: 'Fourth' })
  await tour.changes()
  const owner = await make('A domain of null, by somebody with two.', { name: '***', domain: null }, 'owner')
  tour.name(owner.project.id, 'prj_third')
  await make('One too many.', { name: 'Four', slug: 'four' }, 'owner')
  for (const person of PEOPLE)
    await tour.ask(`The projects of the ${person}, oldest first.`, person, 'POST /project/list', {})
  await tour.ask('Of nobody.', null, 'POST /project/list', {})
  for (const person of PEOPLE) await ask(`One project, by the ${person}.`, person, 'get')
  await ask('By its slug.', 'member', 'get', { project_id: 'harbour-news' })
  await ask('One that there is not.', 'owner', 'get', { project_id: 'prj_none' })
  await tour.ask('Without saying which.', 'owner', 'POST /project/get', {})
  await tour.changes()
}

async function changeProjects(): Promise<void> {
  tour.heading('Changes of a project')
  const update = (sentence: string, body: object, by: Person = 'administrator') => ask(sentence, by, 'update', body)
  world.clock.advance(HOUR)
  await update('Nothing, which is a change at a time.', {})
  await tour.changes()
  world.clock.advance(MINUTE)
  await update('A name.', { name: ' Harbour Times ' })
  await update('A slug and a domain, which is unproven.', { slug: 'harbour', domain: 'News.Harbour.example' })
  await tour.changes()
  for (const person of ['editor', 'member', 'outsider'] as const) await update(`The ${person}.`, { name: 'x' }, person)
  await update('The slug of another.', { slug: 'mountain-post' })
  await update('Whatever is wrong.', { name: '', slug: 'A', domain: '-x' })
  await update('Wrong types.', { name: 1, slug: null, domain: 5, limit: 3 })
  await update('The domain that another claims, too.', { domain: 'www.shop.example' })
  await tour.changes()
  await update('The host of the service.', { domain: 'LOCALHOST' })
  await ask('What it is now.', 'member', 'get')
  const set = (values: Partial<typeof projects.$inferInsert>) =>
    store().write((tx) => tx.update(projects).set(values).where(eq(projects.id, world.project.id)))
  await set({ domain: 'old.example', domain_proven_at: 3 })
  await ask('A domain that is served while another waits.', 'editor', 'get')
  await set({ domain_claim: null })
  await ask('A proven one.', 'editor', 'get')
  await set({ domain_lost_at: 7 })
  await ask('A lost one.', 'editor', 'get')
  await tour.skip()
  await update('The same domain again.', { domain: 'old.example' })
  await tour.changes()
  await update('The domain of another that is served.', { domain: 'shop.example' })
  await update('None.', { domain: null })
  await tour.changes()
  await ask('A look-up without a domain.', 'administrator', 'domain/verify')
  await ask('A look-up by an editor.', 'editor', 'domain/verify')
  await update('Its names as before.', { name: 'Harbour News', slug: 'harbour-news' }, 'owner')
  await tour.skip()
}

async function apiKeys(): Promise<void> {
  tour.heading('API keys')
  await store().write((tx) => tx.delete(api_keys))
  await tour.skip()
  const made: string[] = []
  const secrets: string[] = []
  for (const [by, name] of [
    ['administrator', ' Import '],
    ['owner', 'k'.repeat(100)],
    ['administrator', 'Export'],
  ] as const) {
    world.clock.advance(MINUTE)
    const answer = await ask(`A key of the ${by}.`, by, 'api-keys/create', { name })
    made.push(answer.api_key.id)
    secrets.push(answer.key)
    nameHint(answer)
  }
  nameHint(await ask('For another project.', 'owner', 'api-keys/create', { name: 'Neighbor' }, world.other.public_id))
  for (const person of ['editor', 'member', 'outsider'] as const)
    await ask(`The ${person} may not.`, person, 'api-keys/create', { name: 'Mine' })
  await ask('A name of blanks.', 'owner', 'api-keys/create', { name: ' ' })
  await ask('Of 101 characters.', 'owner', 'api-keys/create', { name: 'k'.repeat(101) })
  await ask('Of two lines.', 'owner', 'api-keys/create', { name: 'a\tb' })
  await ask('None.', 'owner', 'api-keys/create', {})
  await tour.changes()
  world.clock.advance(MINUTE)
  const used = { authorization: secrets[2]!, 'content-type': 'application/json' }
  await tour.quiet(null, 'POST /general/api/v1/newsletter/settings/get', {}, used)
  await store().write((tx) => tx.update(api_keys).set({ user_id: world.users.member }).where(eq(api_keys.id, made[1]!)))
  for (const person of PEOPLE) await ask(`The keys that the ${person} sees.`, person, 'api-keys/list')
  await tour.changes()
  await ask("A member does not revoke another's key.", 'member', 'api-keys/revoke', { api_key_id: made[0] })
  await ask(
    'Nor does somebody of another project.',
    'owner',
    'api-keys/revoke',
    { api_key_id: made[0] },
    world.other.public_id,
  )
  await ask('Nor an outsider.', 'outsider', 'api-keys/revoke', { api_key_id: made[0] })
  await ask('One that there is not.', 'owner', 'api-keys/revoke', { api_key_id: 'key_none' })
  world.clock.advance(MINUTE)
  await ask('A member revokes their own.', 'member', 'api-keys/revoke', { api_key_id: made[1] })
  await ask('An administrator any.', 'administrator', 'api-keys/revoke', { api_key_id: made[2] })
  await ask('Once.', 'administrator', 'api-keys/revoke', { api_key_id: made[2] })
  const call = 'POST /general/api/v1/newsletter/settings/get'
  await tour.ask('It does not work any more.', null, call, {}, { headers: { authorization: secrets[2]! }, show: [] })
  await tour.changes()
  await ask('What is left.', 'owner', 'api-keys/list')
  const row = { project_id: world.project.id, user_id: world.users.owner, key_hash: '', hint: 'full', created_at: 5 }
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      ...row,
      id: `key_${from + at}`,
      name: 'x',
      key_hash: `${from + at}`,
    }))
  await store().write((tx) => tx.insert(api_keys).values(rows(0, 98)))
  await tour.skip()
  const hundredth = await tour.quiet('owner', 'POST /project/api-keys/create', {
    project_id: world.project.public_id,
    name: 'Hundredth',
  })
  await ask('The hundred-and-first.', 'owner', 'api-keys/create', { name: 'One more' })
  const { api_keys: listed } = await tour.quiet('owner', 'POST /project/api-keys/list', {
    project_id: world.project.public_id,
  })
  tour.write(`${listed.length} keys, the last is ${listed.at(-1).id === hundredth.api_key.id ? 'the hundredth' : '?'}.`)
  await store().write((tx) => tx.delete(api_keys).where(eq(api_keys.hint, 'full')))
  await store().write((tx) => tx.delete(api_keys).where(eq(api_keys.name, 'Hundredth')))
  await tour.skip()
}

/** The hint is the end of the key. */
function nameHint({ api_key, key }: { api_key: { hint: string }; key: string }): void {
  const name = `<end of ${key}>`
  tour.name(`"${key.slice(-4)}"`, `"${name}"`)
  tour.name(`hint ${api_key.hint},`, `hint ${name},`)
}

async function usage(): Promise<void> {
  tour.heading('Usage')
  for (const person of ['member', 'outsider'] as const) await ask(`What the ${person} sees.`, person, 'usage')
  const held = USAGE_KINDS.map((kind, at) => ({ kind, rows: 11 + at, bytes: 1000 + 7 * at }))
  await store().write(async (tx) => {
    await tx.insert(project_usage).values(held.map((row) => ({ project_id: world.project.id, ...row })))
    const neighbor = held.map(({ kind }) => ({ project_id: world.other.id, kind, rows: 3, bytes: 4 }))
    await tx.insert(project_usage).values(neighbor)
  })
  await store().write((tx) =>
    tx.update(projects).set({ monthly_limit: 900, contact_limit: 77 }).where(eq(projects.id, world.project.id)),
  )
  await ask('With limits of its own.', 'member', 'usage')
  await moveTo(Date.UTC(2026, 0, 31, 23, 59, 59, 999))
  await ask('In the last instant of a month.', 'editor', 'usage')
  await moveTo(world.clock.now() + 1)
  await ask('In the first of the next.', 'editor', 'usage')
  await moveTo(Date.UTC(2026, 11, 31, 12))
  await ask('At the end of a year.', 'editor', 'usage')
  await tour.skip()
}

async function invite(): Promise<void> {
  tour.heading('Invitations')
  const send = (sentence: string, by: Person, email: string, role: string, project?: string) =>
    ask(sentence, by, 'invitations/create', { email, role }, project)
  await send('An owner.', 'owner', ' Otto@New.example ', 'owner')
  world.clock.advance(MINUTE)
  await send('An administrator.', 'administrator', 'ada@new.example', 'administrator')
  world.clock.advance(MINUTE)
  await send('An editor.', 'administrator', 'ed@new.example', 'editor')
  world.clock.advance(MINUTE)
  await send('A member, who has an account.', 'owner', 'OUTSIDER@example.com', 'member')
  world.clock.advance(MINUTE)
  await send('The same for another project.', 'owner', 'outsider@example.com', 'administrator', world.other.public_id)
  await tour.changes()
  for (const person of ['editor', 'member', 'outsider'] as const)
    await send(`The ${person} may not.`, person, 'x@new.example', 'member')
  await send('Administrators do not invite owners.', 'administrator', 'x@new.example', 'owner')
  await send('Nor in the place of one.', 'administrator', 'otto@new.example', 'member')
  await send('No address.', 'owner', 'otto', 'member')
  await send('A role that there is not.', 'owner', 'x@new.example', 'guest')
  await send('A member already.', 'owner', 'Member@Example.com', 'editor')
  await ask('Nothing.', 'owner', 'invitations/create')
  await tour.changes()
  world.clock.advance(HOUR)
  await send('Another role for the same address replaces the first.', 'owner', 'ed@NEW.example', 'member')
  await tour.changes()
  for (const person of ['member', 'outsider'] as const)
    await ask(`The people that the ${person} sees.`, person, 'members/list')
  const { invitations: open } = await tour.quiet('owner', 'POST /project/members/list', {
    project_id: world.project.public_id,
  })
  const revoke = (sentence: string, by: Person, invitation_id: string, project?: string) =>
    ask(sentence, by, 'invitations/revoke', { invitation_id }, project)
  const of = (email: string) => open.find((one: any) => one.email.toLowerCase() === email).id as string
  await revoke('An administrator does not revoke the one of an owner.', 'administrator', of('otto@new.example'))
  await revoke('Nor an editor any.', 'editor', of('ada@new.example'))
  await revoke('Nor somebody of another project.', 'owner', of('ada@new.example'), world.other.public_id)
  await revoke('An administrator that of an administrator.', 'administrator', of('ada@new.example'))
  await revoke('Once.', 'administrator', of('ada@new.example'))
  await tour.changes()
  await tour.ask('The start page of the invited.', 'outsider', 'GET /portal/?all', undefined, { show: [] })
  await moveTo(world.clock.now() + 7 * DAY - HOUR - 2 * MINUTE)
  await ask('Just before seven days.', 'editor', 'members/list')
  world.clock.advance(MINUTE)
  await ask('After seven days, but for the one that came later.', 'editor', 'members/list')
  await store().write((tx) => tx.delete(invitations))
  const project_id = world.project.public_id
  for (let at = 0; at < 10; at++) {
    await tour.quiet('owner', 'POST /project/invitations/create', {
      project_id,
      email: `often+${at}@new.example`,
      role: 'member',
    })
    world.clock.advance(MINUTE)
  }
  const often = { project_id, email: 'Often@new.example', role: 'member' }
  const path = 'POST /project/invitations/create'
  const limit = { show: ['retry-after'] }
  await tour.ask('The eleventh of a day to a mailbox.', 'owner', path, often, limit)
  await moveTo(world.clock.now() + DAY - 10 * MINUTE - 1)
  await tour.ask('In the last instant of the day.', 'owner', path, often, limit)
  await moveTo(world.clock.now() + 1)
  await tour.ask('After a day.', 'administrator', path, often, limit)
  await tour.skip()
}

async function membership(): Promise<void> {
  tour.heading('Members')
  const role = (sentence: string, by: Person, who: Person, to: string, project?: string) =>
    ask(sentence, by, 'members/update', { user_id: world.users[who], role: to }, project)
  await role('A member becomes an editor.', 'administrator', 'member', 'editor')
  await role('An editor becomes an administrator.', 'administrator', 'editor', 'administrator')
  await tour.changes()
  await role('An administrator makes no owner.', 'administrator', 'member', 'owner')
  await role('Nor another role of an owner.', 'administrator', 'owner', 'member')
  await role('A member changes nobody.', 'member', 'editor', 'member')
  await role('Nor does an outsider.', 'outsider', 'editor', 'member')
  await role('Nor is an outsider changed.', 'owner', 'outsider', 'member')
  await role('Nor somebody of this project in another.', 'owner', 'member', 'member', world.other.public_id)
  await role('The last owner stays one.', 'owner', 'owner', 'administrator')
  await role('And may become what they are.', 'owner', 'owner', 'owner')
  await role('A role that there is not.', 'owner', 'member', 'none')
  await role('A second owner.', 'owner', 'editor', 'owner')
  await tour.changes()
  const disable = (disabled_at: number | null) =>
    store().write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users.editor)))
  await disable(5)
  await role('One who cannot sign in does not count.', 'owner', 'owner', 'member')
  await disable(null)
  await role('The first steps back.', 'owner', 'owner', 'administrator')
  await tour.changes()
  await role('And comes again.', 'editor', 'owner', 'owner')
  await role('The other becomes an editor.', 'owner', 'editor', 'editor')
  await role('And the member a member.', 'administrator', 'member', 'member')
  await tour.changes()

  tour.heading('Hand-over')
  const hand = (sentence: string, by: Person, who: string) => ask(sentence, by, 'hand-over', { user_id: who })
  await hand('Without a fresh sign-in.', 'owner', world.users.member)
  await confirm('owner')
  await confirm('administrator')
  await hand('By an administrator.', 'administrator', world.users.member)
  await hand('To themselves.', 'owner', world.users.owner)
  await hand('To an outsider.', 'owner', world.users.outsider)
  await hand('To nobody.', 'owner', '')
  await disable(5)
  await hand('To one who cannot sign in.', 'owner', world.users.editor)
  await disable(null)
  await tour.skip()
  await hand('To a member.', 'owner', world.users.member)
  await tour.changes()
  await confirm('member')
  await hand('And back.', 'member', world.users.owner)
  await ask('The member is an administrator now.', 'administrator', 'members/update', {
    user_id: world.users.member,
    role: 'member',
  })
  await tour.skip()
}

async function connectedApps(): Promise<void> {
  tour.heading('Apps of members')
  await moveTo(world.clock.now() + DAY)
  const both = [world.project.id, world.other.id]
  await tour.token(world.app_id, 'owner', 'newsletter:read profile', both)
  world.clock.advance(MINUTE)
  await tour.token(world.app_id, 'member', 'cms:post:read')
  world.clock.advance(MINUTE)
  const used = await tour.token(world.app_id, 'editor', 'scripts:read')
  await tour.quiet({ token: used }, 'GET /general/api/v1/token/authorized_by')
  // Rows of random keys are in the order of their names.
  for (const person of ['owner', 'member', 'editor'] as const) {
    const { connected_apps } = await tour.quiet(person, 'GET /user/connected-apps')
    tour.name(connected_apps[0].authorization_id, `aut_${person}`)
  }
  await tour.skip()
  for (const person of PEOPLE) await ask(`What the ${person} sees.`, person, 'apps/list')
  for (const person of ['owner', 'member', 'outsider'] as const) {
    await tour.ask(`The apps of the ${person}.`, person, 'GET /user/connected-apps')
    await tour.ask(`Their overview.`, person, 'GET /user/connected-apps/overview')
  }
  await tour.ask('Of nobody.', null, 'GET /user/connected-apps')
  const own = await tour.quiet('owner', 'GET /user/connected-apps')
  const id = own.connected_apps[0].authorization_id
  await tour.ask('Another person does not end it.', 'member', `DELETE /user/connected-apps/${id}`)
  await ask('The membership of one who leaves ends what they granted.', 'member', 'members/remove', {
    user_id: world.users.member,
  })
  await tour.changes()
  await ask('An app is taken away by an editor.', 'editor', 'apps/disconnect', { app_id: world.app_id })
  await ask('Or one that there is not.', 'owner', 'apps/disconnect', { app_id: 'app_none' })
  await ask('Or none.', 'owner', 'apps/disconnect', { app_id: '' })
  world.clock.advance(MINUTE)
  await ask('By an administrator.', 'administrator', 'apps/disconnect', { app_id: world.app_id })
  await tour.changes()
  await ask('Once.', 'administrator', 'apps/disconnect', { app_id: world.app_id })
  await tour.ask('What the owner is left with.', 'owner', 'GET /user/connected-apps')
  await tour.ask('They end it.', 'owner', `DELETE /user/connected-apps/${id}`)
  await tour.changes()
  await tour.ask('Once.', 'owner', `DELETE /user/connected-apps/${id}`)
  await tour.skip()
}

async function ends(): Promise<void> {
  tour.heading('The end of memberships')
  const remove = (sentence: string, by: Person, who: Person, project?: string) =>
    ask(sentence, by, 'members/remove', { user_id: world.users[who] }, project)
  await remove('An editor removes nobody.', 'editor', 'administrator')
  await remove('An administrator no owner.', 'administrator', 'owner')
  await remove('The last owner stays.', 'owner', 'owner')
  await remove('Who is no member.', 'owner', 'member')
  await remove('Nor here.', 'owner', 'editor', world.other.public_id)
  await remove('An administrator an editor.', 'administrator', 'editor')
  await remove('And themselves.', 'administrator', 'administrator')
  await tour.changes()
  await ask('They are outside then.', 'administrator', 'get')

  tour.heading('The end of a project')
  const end = (sentence: string, by: Person, name: unknown, project?: string) =>
    ask(sentence, by, 'delete', { name }, project)
  world.clock.advance(HOUR)
  await end('Without a fresh sign-in.', 'owner', 'Harbour News')
  await confirm('owner')
  await confirm('outsider')
  await end('By an outsider.', 'outsider', 'Harbour News')
  await end('With another name.', 'owner', 'harbour news')
  await end('With none.', 'owner', '')
  await tour.skip()
  await end('With its name.', 'owner', ' Harbour News ')
  await tour.changes()
  await ask('It is not there any more.', 'owner', 'get')
  await tour.ask('Nor in the list.', 'owner', 'POST /project/list', {})
  await ask('Its slug can be had again.', 'owner', 'create', { project_id: undefined, name: 'H', slug: 'harbour-news' })
  await tour.changes()
  await moveTo(world.clock.now() + DAY)
  await world.service.drain('maintenance')
  await tour.changes()
  await moveTo(world.clock.now() + 31 * DAY)
  await world.service.drain('maintenance')
  await tour.changes()
  await moveTo(world.clock.now() + 400 * DAY)
  await world.service.drain('maintenance')
  await tour.changes()
}
