import { afterAll, beforeAll, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { members, projects, users } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { app_calls, app_requests } from '../../src/store/tables/developer.ts'
import { tokenFor } from '../support/mailbox.ts'
import { expectRecorded } from '../support/recorded.ts'
import type { Person } from '../support/tour-requests.ts'
import { createWorld, type World } from '../support/world.ts'
import { APPS } from './desk.ts'
import { type DeveloperTour, tourOf } from './tour.ts'

let world: World
let tour: DeveloperTour
let tides = ''
let buoys = ''
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, [
    'app_team',
    'app_invitations',
    'app_test_projects',
    'app_requests',
    'app_calls',
    'app_events',
    'authorizations',
    'script_connections',
  ])
  const { store } = world.service.runtime
  await store.write(async (tx) => {
    await tx.update(users).set({ first_name: 'Ada', last_name: 'Lind' }).where(eq(users.id, world.users.member))
    await tx.update(users).set({ first_name: '' }).where(eq(users.id, world.users.administrator))
  })
  world.clock.advance(MINUTE)
  tides = await newApp('Tides', 'outsider')
  buoys = await newApp('Buoys', 'owner')
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function newApp(displayName: string, by: Person): Promise<string> {
  const scopes = ['scripts:read', 'scripts:embed', 'scripts:delete', 'profile', 'cms:post:read']
  const { app } = await tour.quiet(by, `POST ${APPS}`, { displayName, redirect_uris: [], scopes })
  tour.name(app.id, `app_${displayName.toLowerCase()}`)
  world.clock.advance(MINUTE)
  return app.id
}

test('Answers, rows and messages of teams, tests and installs are those that are recorded.', async () => {
  await team()
  await invitations()
  await offers()
  await testProjects()
  await installs()
  await requests()
  await retention()
  expectRecorded('developer/team.txt', tour.text())
})

async function team(): Promise<void> {
  const at = `${APPS}/${tides}/team`
  tour.heading('Team')
  await tour.ask('Its creator.', 'outsider', `GET ${at}`)
  await tour.ask('One more.', 'outsider', `POST ${at}`, { email: ' Member@Example.com ' })
  await tour.ask('One more, by its exact address.', 'outsider', `POST ${at}`, { email: 'member@example.com' })
  world.clock.advance(MINUTE)
  await tour.ask('Whoever is added adds others.', 'member', `POST ${at}`, { email: 'ADMINISTRATOR@example.com' })
  world.clock.advance(MINUTE)
  await tour.ask('Somebody twice.', 'member', `POST ${at}`, { email: 'administrator@example.com' })
  await tour.ask('Its creator.', 'member', `POST ${at}`, { email: 'outsider@example.com' })
  await tour.ask('Nobody has this address.', 'outsider', `POST ${at}`, { email: 'nobody@example.com' })
  await tour.ask('An id in place of an address.', 'outsider', `POST ${at}`, { email: world.users.owner })
  await tour.ask('An address of 321 characters.', 'outsider', `POST ${at}`, { email: 'x'.repeat(321) })
  await tour.ask('A reviewer adds nobody.', 'editor', `POST ${at}`, { email: 'owner@example.com' })
  await disable('owner', world.clock.now())
  await tour.ask('A person who is disabled.', 'outsider', `POST ${at}`, { email: 'owner@example.com' })
  await disable('owner', null)
  await tour.ask('The creator, then those that were added.', 'editor', `GET ${at}`)
  await tour.ask('Others do not see it.', 'owner', `GET ${at}`)
  await tour.changes()
  await tour.ask('The creator stays.', 'administrator', `DELETE ${at}/${world.users.outsider}`, {})
  await tour.ask('Somebody outside of the team.', 'outsider', `DELETE ${at}/${world.users.owner}`, {})
  await tour.ask('A reviewer removes nobody.', 'editor', `DELETE ${at}/${world.users.member}`, {})
  await tour.ask('Whoever was added leaves.', 'administrator', `DELETE ${at}/${world.users.administrator}`, {})
  await tour.ask('And has no access any more.', 'administrator', `GET ${at}`)
  await tour.changes()
}

async function invitations(): Promise<void> {
  const at = `${APPS}/${tides}/team`
  const invite = (sentence: string, email: string, by: Person = 'outsider') =>
    tour.ask(sentence, by, `POST ${at}/invitations`, { email })
  tour.heading('Invitations to a team')
  await invite('No address.', 'nobody')
  await invite('Somebody of the team.', 'MEMBER@example.com')
  await invite('By a reviewer.', 'new@example.com', 'editor')
  await invite('Somebody without an account.', ' New@Example.com ', 'member')
  await tour.changes()
  world.clock.advance(MINUTE)
  const again = await invite('The same address again.', 'new@example.com')
  await tour.changes()
  world.clock.advance(MINUTE)
  await invite('An administrator.', 'administrator@example.com', 'member')
  world.clock.advance(MINUTE)
  await tour.quiet('owner', `POST ${APPS}/${buoys}/team/invitations`, { email: 'administrator@example.com' })
  world.clock.advance(MINUTE)
  await tour.ask('Those that are open, oldest first.', 'editor', `GET ${at}`)
  await tour.changes()
  const { id } = again.invitation
  await tour.ask('Not revoked for another app.', 'owner', `DELETE ${APPS}/${buoys}/team/invitations/${id}`, {})
  await tour.ask('Not revoked by a reviewer.', 'editor', `DELETE ${at}/invitations/${id}`, {})
  await tour.ask('Revoked.', 'member', `DELETE ${at}/invitations/${id}`, {})
  await tour.ask('Gone.', 'member', `DELETE ${at}/invitations/${id}`, {})
  await tour.changes()
}

async function offers(): Promise<void> {
  tour.heading('Invitations, as the invited see them')
  const list = '/user/invitations'
  await tour.quiet('owner', 'POST /project/invitations/create', {
    project_id: world.other.public_id,
    email: 'administrator@example.com',
    role: 'editor',
  })
  await tour.skip()
  await tour.ask('None.', 'owner', `GET ${list}`)
  const { invitations: found } = await tour.ask('To a project, and to two teams.', 'administrator', `GET ${list}`)
  const [project, first, second] = found.map(({ id }: { id: string }) => id)
  await tour.ask('Not for others.', 'owner', `POST ${list}/${first}/accept`, {})
  await tour.ask('Unknown.', 'owner', `POST ${list}/inv_none/accept`, {})
  await disable('member', world.clock.now())
  await tour.ask('Void while its inviter is disabled.', 'administrator', `POST ${list}/${first}/accept`, {})
  await tour.ask('Nor in the list.', 'administrator', `GET ${list}`)
  await disable('member', null)
  const token = await tokenFor(world, 'administrator@example.com', 'invitation')
  const { body } = await page('The page of its link.', 'administrator', `/portal/invitation?token=${token}`)
  tour.write(...body)
  world.clock.advance(MINUTE)
  await tour.ask('Accepted.', 'administrator', `POST ${list}/${first}/accept`, {})
  await tour.changes()
  await tour.ask('Used.', 'administrator', `POST ${list}/${first}/accept`, {})
  const { invitations: left } = await tour.quiet('administrator', `GET ${list}`)
  const ends = left.map(({ expires_on }: { expires_on: string }) => Date.parse(expires_on))
  world.clock.advance(ends[1] - world.clock.now() - 1)
  await tour.ask('A moment before the end of the other.', 'administrator', `GET ${list}`)
  world.clock.advance(1)
  await tour.ask('At its end.', 'administrator', `GET ${list}`)
  await tour.ask('It is too late.', 'administrator', `POST ${list}/${second}/accept`, {})
  world.clock.advance(ends[0] - world.clock.now())
  await tour.ask('Also for the project.', 'administrator', `POST ${list}/${project}/accept`, {})
  await world.service.drain('maintenance')
  await tour.changes()
}

/** The body of a page, in lines. */
async function page(sentence: string, by: Person, path: string): Promise<{ body: string[] }> {
  const text = await tour.plain(by, `GET ${path}`)
  const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? text
  return { body: [`- ${sentence}`, ...main.split('\n').map((line) => `  > ${line}`)] }
}

async function testProjects(): Promise<void> {
  const at = `${APPS}/${tides}/test-projects`
  const harbour = { project_id: world.project.public_id }
  const mountain = { project_id: world.other.public_id }
  tour.heading('Test projects')
  await tour.ask('None.', 'outsider', `GET ${at}`)
  await tour.ask('Of a project of others.', 'outsider', `POST ${at}`, harbour)
  await tour.ask('By a member of it.', 'member', `POST ${at}`, harbour)
  await tour.ask('By a reviewer.', 'editor', `POST ${at}`, harbour)
  await tour.ask('By its administrator.', 'administrator', `POST ${at}`, harbour)
  await tour.ask('No such project.', 'administrator', `POST ${at}`, { project_id: 'prj_none' })
  await tour.ask('One of theirs, but not of the team.', 'owner', `POST ${at}`, mountain)
  await tour.changes()
  world.clock.advance(MINUTE)
  await tour.ask('The owner of another app.', 'owner', `POST ${APPS}/${buoys}/test-projects`, harbour)
  world.clock.advance(MINUTE)
  await tour.ask('And of another project.', 'owner', `POST ${APPS}/${buoys}/test-projects`, mountain)
  world.clock.advance(MINUTE)
  await tour.ask('The first again, later.', 'administrator', `POST ${at}`, harbour)
  await tour.ask('Those of the other app.', 'editor', `GET ${APPS}/${buoys}/test-projects`)
  await tour.changes()
  const scripts = { project_id: world.project.public_id }
  await tour.ask('As the project sees them.', 'owner', 'POST /project/scripts/list', scripts)
  await tour.ask('Ended by the project.', 'owner', 'POST /project/scripts/end-test', { ...scripts, app_id: tides })
  await tour.ask('Ended already.', 'owner', 'POST /project/scripts/end-test', { ...scripts, app_id: tides })
  await tour.ask('Not by an editor.', 'editor', 'POST /project/scripts/end-test', { ...scripts, app_id: buoys })
  await tour.ask('Ended by the team.', 'owner', `DELETE ${APPS}/${buoys}/test-projects/${world.project.public_id}`, {})
  await tour.ask('Not twice.', 'owner', `DELETE ${APPS}/${buoys}/test-projects/${world.project.public_id}`, {})
  await tour.ask('Not by a reviewer.', 'editor', `DELETE ${APPS}/${buoys}/test-projects/${world.other.public_id}`, {})
  await tour.changes()
  await tour.quiet('administrator', 'POST /project/create', { name: 'Test 1', slug: 'test-1' })
  await tour.skip()
}

async function installs(): Promise<void> {
  const at = `${APPS}/${tides}/installs`
  tour.heading('Installs')
  await tour.ask('None.', 'outsider', `GET ${at}`)
  const script = { placement: 'HTML Head', code: '<p>1</p>' }
  for (const [name, type] of Object.entries({ One: 'Analytics', Two: 'Essential', Three: 'Advertising' }))
    await tour.quiet('outsider', `POST ${APPS}/${tides}/scripts`, { name, type, ...script })
  await tour.quiet('owner', `POST ${APPS}/${buoys}/scripts`, { name: 'Theirs', type: 'Functional', ...script })
  const both = [world.project.id, world.other.id]
  const [test] = await world.service.runtime.store.db.select().from(projects).where(eq(projects.slug, 'test-1'))
  tour.name(test!.public_id, 'prj_test')
  const second = await tour.token(tides, 'member', 'profile scripts:read')
  world.clock.advance(MINUTE)
  const first = await tour.token(tides, 'owner', 'scripts:read scripts:embed', both)
  world.clock.advance(MINUTE)
  const third = await tour.token(tides, 'administrator', 'scripts:delete scripts:embed scripts:read cms:post:read', [
    world.project.id,
    test!.id as ProjectId,
  ])
  const theirs = await tour.token(buoys, 'owner', 'scripts:embed scripts:read', both)
  tour.write('  Three projects have it, one of them by three people.')
  const embed = (token: string, project_id: string, scriptId: number) =>
    tour.quiet({ token }, 'POST /general/api/v1/scripts/embed', { project_id, scriptId })
  for (const scriptId of [1, 2, 3]) await embed(third, world.project.public_id, scriptId)
  await embed(first, world.other.public_id, 2)
  await embed(theirs, world.project.public_id, 4)
  await tour.quiet('owner', 'POST /project/scripts/switch', {
    project_id: world.project.public_id,
    connection_id: 2,
    enabled: false,
  })
  world.clock.advance(HOUR)
  await tour.quiet({ token: second }, `POST /general/api/v1/scripts/list?project_id=${world.project.public_id}`)
  const refused = `POST /general/api/v1/scripts/list?project_id=${world.other.public_id}`
  await tour.ask('A call that is refused.', { token: second }, refused)
  await tour.quiet('outsider', `GET ${APPS}/${tides}/requests`)
  const { store } = world.service.runtime
  const used = (by: Person, at: number) =>
    store.write((tx) =>
      tx.update(authorizations).set({ last_used_at: at }).where(eq(authorizations.user_id, world.users[by])),
    )
  await used('owner', world.clock.now() - MINUTE)
  await used('administrator', world.clock.now())
  await store.write((tx) => tx.update(projects).set({ domain: 'test.example' }).where(eq(projects.id, test!.id)))
  await tour.skip()
  await tour.ask('Those that connected last first.', 'editor', `GET ${at}`)
  const names = ({ installs: page }: any) => `  ${page.map(({ name }: any) => name).join(', ')}`
  const one = await tour.quiet('outsider', `GET ${at}?limit=1`)
  const next_cursor = one.next_cursor as string
  const two = await tour.quiet('outsider', `GET ${at}?limit=1&cursor=${next_cursor}`)
  const three = await tour.quiet('outsider', `GET ${at}?limit=1&cursor=${two.next_cursor}`)
  tour.write('- One a page.', ...[one, two, three].map(names), `  ${three.next_cursor}`)
  await tour.ask('A cursor of another app.', 'owner', `GET ${APPS}/${buoys}/installs?cursor=${next_cursor}`)
  await tour.ask('Those of the other app.', 'owner', `GET ${APPS}/${buoys}/installs`)
  await tour.ask('Not for others.', 'owner', `GET ${at}`)
  await tour.quiet('owner', `POST ${APPS}/${buoys}/versions`, {})
  await suspend(tides)
  await store.write((tx) => tx.delete(members).where(eq(members.user_id, world.users.member)))
  await tour.ask('With an event, and without a member.', 'outsider', `GET ${at}`)
}

async function suspend(app_id: string): Promise<void> {
  await tour.quiet('editor', `POST ${APPS}/${app_id}/suspend`, { comment: 'Too loud.' })
  world.clock.advance(MINUTE)
  await tour.quiet('editor', `POST ${APPS}/${app_id}/unsuspend`, {})
}

async function requests(): Promise<void> {
  const at = `${APPS}/${tides}/requests`
  tour.heading('Requests')
  const token = await tour.token(tides, 'owner', 'scripts:read scripts:embed', [world.project.id, world.other.id])
  const api = '/general/api/v1'
  const by = { token }
  world.clock.advance(MINUTE)
  await tour.ask('A call for a project.', by, `POST ${api}/scripts/list?project_id=${world.project.public_id}`)
  await tour.ask('One for a project that is no id.', by, `POST ${api}/scripts/list?project_id=harbour`)
  await tour.ask('One without a scope.', by, `POST ${api}/cms/post/list`, { project_id: world.project.public_id })
  await tour.ask('One without a project.', by, `GET ${api}/token/introspect`)
  await tour.ask('A wrong body.', by, `POST ${api}/scripts/embed`, { project_id: world.other.public_id })
  await tour.ask('One of the newsletter.', by, `POST ${api}/newsletter/lists/list`, {
    project_id: world.project.public_id,
  })
  await tour.ask('A path that there is not.', by, `GET ${api}/nothing`)
  const ids = ({ requests: all }: any) => [all.map(({ id }: any) => id).join(', ')]
  const shown = ({ requests: all }: any) =>
    all.map(({ id, method, route, status, error, project_id, time, duration_ms, request_id, ...more }: any) =>
      JSON.stringify([id, time, method, route, status, error, project_id, typeof duration_ms, request_id, more]),
    )
  const look = async (sentence: string, query: string, who: Person = 'outsider') =>
    tour.write(
      `- ${sentence} ${query}`,
      ...(query === '' ? shown : ids)(await tour.quiet(who, `GET ${at}${query}`)).map((line: string) => `  ${line}`),
    )
  await look('All, newest first.', '', 'administrator')
  await look('Two.', '?limit=2')
  await look('Two before the fourth.', '?limit=2&before_id=4')
  await look('By status.', '?status=403')
  await look('By refusal.', '?error=invalid_request')
  await look('By project.', `?project=${world.project.public_id}`)
  await look('By method.', '?method=GET')
  await look('By route.', '?route=/scripts/list')
  await look('By all of it.', `?method=POST&status=200&route=/scripts/list&project=${world.project.public_id}`)
  await tour.ask('Not for reviewers.', 'editor', `GET ${at}`)
  await tour.ask('Nothing to filter by.', 'outsider', `GET ${at}?route=&limit=201&before_id=0`)
  await tour.changes()
}

async function retention(): Promise<void> {
  tour.heading('What goes with time')
  const { store } = world.service.runtime
  const now = world.clock.now()
  const today = Math.floor(now / DAY)
  await store.write(async (tx) => {
    const request = { app_id: tides, method: 'GET', route: '/old', status: 200, request_id: 'req_old', duration_ms: 1 }
    await tx.insert(app_requests).values([7 * DAY, 7 * DAY - 1].map((age) => ({ ...request, at: now - age })))
    const calls = { app_id: tides, calls: 100, errors: 10 }
    await tx
      .insert(app_calls)
      .values([6, 7, 8].map((age) => ({ ...calls, day: today - age, project_id: world.project.id, calls: 100 + age })))
  })
  await tour.skip()
  const { totals } = await tour.quiet('outsider', `GET ${APPS}/${tides}/installs`)
  tour.write(`  Counted: ${JSON.stringify(totals)}`)
  const { requests: listed } = await tour.quiet('outsider', `GET ${APPS}/${tides}/requests?route=/old`)
  tour.write(`  Listed: ${listed.length}`)
  await world.service.drain('maintenance')
  await tour.changes()
  world.clock.advance(8 * DAY)
  await world.service.drain('maintenance')
  tour.write('  Eight days later:')
  await tour.changes()
}

async function disable(person: Person, disabled_at: number | null): Promise<void> {
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users[person])))
}
